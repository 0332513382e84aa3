//! The front door: a [`Model`] is read and checked once, a [`Session`] is one motion of it, a [`Table`] is what a run
//! leaves behind. No file is written but by [`Model::simulate`].

mod error;
mod inputs;
mod model;
mod motion;
mod neighbours;
mod result_run;
mod signal_search;
mod table;

pub use error::{Error, ErrorKind, Mistake};
pub use inputs::{InputHandle, InputInfo, InputPort};
pub use language::reading::Inputs;
pub use model::{Model, Recording, Signal};
pub use motion::{Probe, Session, Snapshot};
pub use result_run::Outcome;
pub use table::Table;

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_send<T: Send>() {}

    #[test]
    fn everything_may_go_to_another_thread() {
        assert_send::<Model>();
        assert_send::<Session>();
        assert_send::<Snapshot>();
        assert_send::<Signal>();
        assert_send::<Recording>();
        assert_send::<Table>();
        assert_send::<Inputs>();
        assert_send::<InputHandle>();
        assert_send::<Error>();
    }
}
