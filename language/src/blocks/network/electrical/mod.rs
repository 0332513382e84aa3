//! Electrical elements, one file each.
//!
//! Current counts positive into terminal p, v = v_p - v_n, and v i is the power that flows into the element.

pub mod bipolar;
pub mod capacitor;
pub mod cccs;
pub mod ccvs;
pub mod current_source;
pub mod diode;
pub mod inductor;
pub mod jfet;
mod junction;
pub mod mos;
pub mod mutual_inductor;
pub mod op_amp;
pub mod potentiometer;
pub mod resistor;
pub mod switch;
pub mod thyristor;
pub mod transformer;
pub mod vccs;
pub mod vcvs;
pub mod voltage_source;
pub mod zener;
