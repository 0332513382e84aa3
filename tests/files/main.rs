//! Files: the results of runs, and the example models.

mod models;
mod results;
