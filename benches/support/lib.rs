//! What the benchmarks have for themselves: charts of what they find.

pub mod svg;
