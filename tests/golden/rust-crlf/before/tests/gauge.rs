#[test]
fn reads_a_level() {}
