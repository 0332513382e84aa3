//! Networks: the passes of their engine, circuits, signals, bond graphs.

mod balances;
mod bondgraphs;
mod circuit_elements;
mod circuit_models;
mod circuits;
mod conflicts;
mod equations;
mod jumps;
mod passes;
mod signals;
mod valves_together;
