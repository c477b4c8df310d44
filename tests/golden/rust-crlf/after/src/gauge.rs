pub fn level(raw: &str) -> f64 {
    raw.parse().unwrap()
}
