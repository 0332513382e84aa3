//! Random transistor circuits: amplifiers, mirrors, references, logic, in both technologies.

use dysim_tests::random::Random;

/// A circuit as a netlist.
pub struct Circuit {
    /// The netlist without analysis and `.end`.
    pub text: String,
    /// Its nodes.
    pub nodes: Vec<String>,
    /// May it have several operating points? Then another one is no mistake.
    pub may_latch: bool,
}

/// Elements of a part, separated by semicolons: `$x` is a node of its own, `a~b` a number between both.
const STAGES: &[&str] = &[
    "q top in out n; r out bot 1e3~1e4",
    "q out in $e n; r $e bot 1e2~1e4; r top out 1e3~1e5",
    "q out in $e p; r $e top 1e2~1e4; r bot out 1e3~1e5",
    "r top $a 1e3~1e5; d $a in d; d in $b d; r $b bot 1e3~1e5; q top $a out n; q bot $b out p; r out 0 10~1e4",
    "q top in $m n; q top $m out n; r out bot 1e2~1e4",
    "m out in top top mp w=20u l=1u; m out in bot bot mn w=10u l=1u; r out 0 1e5~1e7",
    "m out in bot bot mn w=50u l=2u; r top out 1e3~1e5",
];

/// Differential pairs with inputs `in` and `ref`.
const PAIRS: &[&str] = &[
    "q $a in $e n; q out ref $e n; i $e bot 1e-5~1e-3; q $a $a top p; q out $a top p",
    "q $a in $e n; q out ref $e n; r $e bot 1e3~1e5; r $a top 1e3~1e5; r out top 1e3~1e5",
    "q $a in $e p; q out ref $e p; i top $e 1e-5~1e-3; q $a $a bot n; q out $a bot n",
    "q $a in $e p; q out ref $e p; r $e top 1e3~1e5; q $a $a bot n; q out $a bot n",
    "m $a in $e bot mn w=50u l=2u; m out ref $e bot mn w=50u l=2u; r $e bot 1e3~1e5; m $a $a top top mp w=20u l=2u; m out $a top top mp w=20u l=2u",
];

const REFERENCES: &[&str] = &[
    "r top $a 1e3~1e5; q $a $a bot n; q out $a $e n; r $e bot 1e2~1e4; r top out 1e3~1e5",
    "r top $a 1e3~1e5; q $a $b bot n; q $b $b bot n; q out $a $b n; r top out 1e2~1e4",
    "r top $a 1e3~1e5; d $a $b d; d $b $c d; d $c bot d; q top $a out n; r out bot 1e3~1e5",
    "r top $a 1e4~1e6; m $a $a bot bot mn w=10u l=2u; m out $a bot bot mn w=40u l=2u; r top out 1e3~1e5",
    // It feeds itself, and nearly so at zero.
    "q $a $a top p; q out $a top p; q out out bot n; q $a out $e n 8; r $e bot 1e2~1e4; r top out 1e5~1e7",
];

const GATES: &[&str] = &[
    "r top $b 3.9e3~4.1e3; q $d $b in n; q $d $b ref n; q $c $d $e n; r top $c 1.5e3~1.7e3; r $e bot 900~1100; q $t $c $m n; r top $t 120~140; d $m out d; q out $e bot n; r out 0 1e4~1e5",
    "m out in top top mp w=20u l=1u; m out ref top top mp w=20u l=1u; m out in $m bot mn w=20u l=1u; m $m ref bot bot mn w=20u l=1u",
    "r top $x 2e3~5e3; d $x in d; d $x ref d; d $x $y d; d $y $b d; r $b bot 1e4~1e5; q out $b bot n; r top out 1e3~1e4",
    "v $r 0 1.3~3; q $a in $e n; q $a ref $e n; q $c $r $e n; r $e bot 500~2e3; r top $a 200~500; r top $c 200~500; q top $c out n; r out bot 1e3~1e4",
];

struct Builder {
    random: Random,
    lines: Vec<String>,
    nodes: usize,
    may_latch: bool,
}

impl Builder {
    fn node(&mut self) -> String {
        self.nodes += 1;
        format!("n{}", self.nodes)
    }

    fn element(&mut self, letter: &str, rest: &str) {
        self.lines.push(format!("{letter}{} {rest}", self.lines.len()));
    }

    /// A number between two, with equal chances for each factor.
    fn value(&mut self, low: f64, high: f64) -> f64 {
        self.random.between(low.ln(), high.ln()).exp()
    }

    /// Adds a part between its inputs; gives its output.
    fn part(&mut self, text: &str, inputs: [&str; 2]) -> String {
        let out = self.node();
        let mut own: Vec<(&str, String)> =
            vec![("in", inputs[0].into()), ("ref", inputs[1].into()), ("out", out.clone())];
        for element in text.split(';') {
            let words: Vec<&str> = element.split_whitespace().collect();
            let mut rest = Vec::new();
            for word in &words[1..] {
                let known = own.iter().find(|(name, _)| name == word);
                rest.push(match (known, word.split_once('~')) {
                    (Some((_, node)), _) => node.clone(),
                    (None, Some((low, high))) => {
                        let value = self.value(low.parse().unwrap(), high.parse().unwrap());
                        format!("{value:.5e}")
                    }
                    (None, None) if word.starts_with('$') => {
                        let node = self.node();
                        own.push((word, node.clone()));
                        node
                    }
                    (None, None) => (*word).to_string(),
                });
            }
            self.element(words[0], &rest.join(" "));
        }
        out
    }

    fn any(&mut self, parts: &[&'static str]) -> &'static str {
        parts[self.random.below(parts.len())]
    }

    fn source(&mut self, value: f64) -> String {
        let node = self.node();
        self.element("v", &format!("{node} 0 {value}"));
        node
    }

    fn stages(&mut self, mut node: String, most: usize) -> String {
        for _ in 0..self.random.below(most + 1) {
            let stage = self.any(STAGES);
            node = self.part(stage, [&node, "0"]);
        }
        node
    }

    fn amplifier(&mut self, middle: f64) {
        let offset = [0.0, 0.0, 1e-3, -5e-3, 0.1][self.random.below(5)];
        let input = self.source(middle + offset);
        let is_closed = self.random.below(3) == 0;
        let other = if is_closed { self.node() } else { self.source(middle) };
        let pair = self.any(PAIRS);
        let out = self.part(pair, [&input, &other]);
        let out = self.stages(out, 3);
        self.element("r", &format!("{out} 0 1e5"));
        if is_closed {
            // The sign of the feedback is a matter of chance: it may latch.
            self.may_latch = true;
            for end in [out.as_str(), "0"] {
                let value = self.value(1e3, 1e5);
                self.element("r", &format!("{other} {end} {value:.5e}"));
            }
        }
    }

    fn models(&mut self) -> String {
        let mut pick = |words: &[&'static str]| words[self.random.below(words.len())];
        let resistances = ["", "rb=50 rc=5 re=0.2", "rb=200"];
        let currents = ["1e-16", "1e-15", "5e-15"];
        let mut text = String::new();
        for (name, kind, gains, early) in [
            ("n", "npn", ["50", "120", "300"], ["50", "100", "200"]),
            ("p", "pnp", ["20", "60", "200"], ["30", "60", "100"]),
        ] {
            let (is, bf, vaf) = (pick(&currents), pick(&gains), pick(&early));
            let (br, rest) = (pick(&["0.5", "1", "4"]), pick(&resistances));
            text.push_str(&format!(
                ".model {name} {kind}(is={is} bf={bf} vaf={vaf} br={br} {rest})\n"
            ));
        }
        let (is, n, rs) =
            (pick(&["1e-14", "1e-12", "2.5e-9"]), pick(&["1", "1.8"]), pick(&["0", "5"]));
        text.push_str(&format!(".model d d(is={is} n={n} rs={rs})\n"));
        for (name, kind, sign) in [("mn", "nmos", ""), ("mp", "pmos", "-")] {
            let (vto, kp) = (pick(&["0.5", "0.8", "1", "2"]), pick(&["8u", "20u", "120u"]));
            let (lambda, gamma) = (pick(&["0", "0.02", "0.05"]), pick(&["0", "0.4"]));
            text.push_str(&format!(
                ".model {name} {kind}(vto={sign}{vto} kp={kp} lambda={lambda} gamma={gamma} phi=0.65)\n"
            ));
        }
        text
    }
}

/// The circuit of a seed.
pub fn circuit(seed: u64) -> Circuit {
    let (random, lines) = (Random::new(seed), Vec::new());
    let mut builder = Builder { random, lines, nodes: 0, may_latch: false };
    let models = builder.models();
    let supply = [3.3, 5.0, 10.0, 15.0][builder.random.below(4)];
    let is_single = builder.random.below(5) < 2;
    builder.lines.push(format!("vp top 0 {supply}"));
    builder.lines.push(format!("vn bot 0 {}", if is_single { 0.0 } else { -supply }));
    for _ in 0..1 + builder.random.below(4) {
        match builder.random.below(10) {
            0..4 => builder.amplifier(if is_single { supply / 2.0 } else { 0.0 }),
            4..7 => {
                let kind = builder.random.below(REFERENCES.len());
                builder.may_latch |= kind == REFERENCES.len() - 1;
                let out = builder.part(REFERENCES[kind], ["0", "0"]);
                builder.stages(out, 2);
            }
            _ => {
                let levels = [0.2, 1.4, 2.5, 3.5, 5.0];
                let inputs = [(); 2].map(|()| {
                    let level = levels[builder.random.below(levels.len())];
                    builder.source(level)
                });
                let gate = builder.any(GATES);
                let out = builder.part(gate, [&inputs[0], &inputs[1]]);
                builder.stages(out, 2);
            }
        }
    }
    let nodes = (1..=builder.nodes).map(|k| format!("n{k}")).collect();
    // In reverse junctions carry other parts of their tiny saturation currents in ngspice; what leaks is more than that.
    let lines = builder.lines.join("\n");
    let text = format!("random transistors {seed}\n.options gmin=1e-9\n{models}{lines}");
    Circuit { text, nodes, may_latch: builder.may_latch }
}
