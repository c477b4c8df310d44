package billing

type Invoice struct {
	Number string
	Total  float64
}
