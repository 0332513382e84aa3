//! Signal blocks: no nodes, inputs are time expressions, the output is the signal `y`.
//!
//! `pid.y` in an expression is the wire. A block acts at all times; a block that is read with [`Sampling`] acts at the
//! instants of a clock instead if a period is given.

mod curve;
mod laws;
mod linear;

pub mod counter;
pub mod dead_zone;
pub mod delay;
pub mod dt1;
pub mod exponential;
mod function;
pub mod gain;
pub mod hysteresis;
pub mod input;
pub mod integrator;
pub mod latch;
pub mod lead_lag;
pub mod limiter;
pub mod pi;
pub mod pid;
pub mod product;
pub mod pt1;
pub mod pt2;
pub mod pulse;
pub mod ramp;
pub mod rate_limiter;
pub mod relay;
pub mod sample_hold;
pub mod sawtooth;
pub mod sine;
pub mod square;
pub mod state_space;
pub mod step;
pub mod sum;
pub mod table;
pub mod transfer_function;
pub mod trapezoid;
pub mod unit_delay;

use super::signal;
use crate::codes;
use crate::element::{BlockSchema, SignalSchema, written};
use crate::reading::{BlockReader, Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expression::{Formula, Program};

/// The output of a block.
pub(crate) const OUTPUT: &[SignalSchema] = &[signal("y", "", "output")];

/// The common interface of all signal blocks.
pub(crate) trait SignalBlock {
    /// Writes the equations of the block.
    fn equations(&self, e: &Writer<'_>);

    /// A signal as a function of time alone, of a source.
    fn of_time(&self, _signal: &str) -> Option<Program> {
        None
    }

    /// Number of components of a signal.
    fn width(&self, _signal: &str) -> usize {
        1
    }
}

/// A block that may act at the instants of a clock instead of at all times.
pub(crate) trait SampledBlock: SignalBlock {
    /// The form of the block that acts at instants of this period; `None`, after a message, if there is no such form.
    fn sampled(&self, e: &Writer<'_>, period: f64) -> Option<SampledForm>;
}

parameters! {
    /// When a block acts.
    pub struct Sampling {
        period: f64 = "Tsample", Plus, Unit::Is("s"), Number(0.0), NotNegative, "period; 0 acts at all times";
        offset: f64 = "Toffset", Plus, Unit::Is("s"), Number(0.0), NotNegative, "first instant after the start";
    }
}

/// A block and when it acts.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled<T> {
    /// The block.
    pub block: T,
    /// The instants at which the block acts.
    pub sampling: Sampling,
}

impl<T: Group> Sampled<T> {
    fn read(reader: &mut BlockReader<'_, '_>) -> Self {
        Self { block: T::read(reader), sampling: Sampling::read(reader) }
    }
}

impl<T: SampledBlock> SignalBlock for Sampled<T> {
    fn equations(&self, e: &Writer<'_>) {
        let Sampling { period, offset } = self.sampling;
        if period == 0.0 {
            return self.block.equations(e);
        }
        let Some(form) = self.block.sampled(e, period) else { return };
        let (x, y) = e.registers().sampled(form, [period, offset]);
        y.iter().enumerate().for_each(|(k, &y)| e.component("y", k, y));
        x.iter().enumerate().for_each(|(k, &x)| e.component("x", k, x));
    }

    fn width(&self, signal: &str) -> usize {
        self.block.width(signal)
    }
}

macro_rules! signal_blocks {
    (
        sampled { $($module:ident::$kind:ident = $schema:ident,)* }
        plain { $($other:ident::$what:ident = $table:ident,)* }
    ) => {
        /// A signal block of any kind.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "the names are those of the blocks")]
        pub enum AnyBlock {
            $($kind(Sampled<$module::$kind>),)*
            $($what($other::$what),)*
        }

        /// The tables of all signal blocks.
        pub static SCHEMAS: &[&BlockSchema] = &[$(&$module::$schema,)* $(&$other::$table),*];

        impl AnyBlock {
            /// Reads a block; `None` if it is no signal block.
            pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Option<Self> {
                $(if std::ptr::eq(reader.schema, &$module::$schema) {
                    return Some(Self::$kind(Sampled::read(reader)));
                })*
                $(if std::ptr::eq(reader.schema, &$other::$table) {
                    return Some(Self::$what($other::$what::read(reader)));
                })*
                None
            }

            /// The block without its sampling.
            pub(crate) fn block(&self) -> &dyn SignalBlock {
                match self {
                    $(Self::$kind(block) => block,)*
                    $(Self::$what(block) => block,)*
                }
            }
        }
    };
}

signal_blocks! {
    sampled {
        gain::Gain = GAIN,
        sum::Sum = SUM,
        product::Product = PRODUCT,
        function::Function = FUNCTION,
        integrator::Integrator = INTEGRATOR,
        pt1::Pt1 = PT1,
        pt2::Pt2 = PT2,
        dt1::Dt1 = DT1,
        pi::Pi = PI,
        pid::Pid = PID,
        lead_lag::LeadLag = LEAD_LAG,
        transfer_function::TransferFunction = TRANSFER_FUNCTION,
        state_space::StateSpace = STATE_SPACE,
        limiter::Limiter = LIMITER,
    }
    plain {
        dead_zone::DeadZone = DEAD_ZONE,
        hysteresis::Hysteresis = HYSTERESIS,
        relay::Relay = RELAY,
        rate_limiter::RateLimiter = RATE_LIMITER,
        delay::Delay = DELAY,
        table::Table = TABLE,
        input::Input = INPUT,
        step::Step = STEP,
        ramp::Ramp = RAMP,
        sine::Sine = SINE,
        pulse::Pulse = PULSE,
        square::Square = SQUARE,
        sawtooth::Sawtooth = SAWTOOTH,
        trapezoid::Trapezoid = TRAPEZOID,
        counter::Counter = COUNTER,
        latch::Latch = LATCH,
        sample_hold::SampleHold = SAMPLE_HOLD,
        unit_delay::UnitDelay = UNIT_DELAY,
    }
}

/// Reports limits that leave nothing between them.
pub(crate) fn check_limits(e: &Writer<'_>, names: [&str; 2], low: Option<f64>, high: Option<f64>) {
    if let (Some(low), Some(high)) = (low, high)
        && low >= high
    {
        let [first, second] = names;
        let words = format!(
            "has `{first}` = {}, which is not below `{second}` = {}",
            written(low),
            written(high)
        );
        e.mistake(codes::LIMITS_CROSSED, &words, "exchange them, or leave one of them out");
    }
}

/// Time since the last start of a period, and whether there is a period at all: from `begin` on, and if `count`
/// is not 0, for so many periods.
pub(crate) fn periodic(period: f64, begin: f64, count: u32) -> (Formula, Formula) {
    let since = (Formula::time() - begin).call("mod", &[period]);
    let on = Formula::time().at_least(begin);
    let active = match count {
        0 => on,
        count => on * Formula::time().below(begin + f64::from(count) * period),
    };
    (since, active)
}
