//! What each construct becomes in the flat text.

use crate::support::{flat, flat_of, load, squeezed};

/// Checks that the flat text of a model has all of these parts.
#[track_caller]
fn holds(text: &str, parts: &[&str]) {
    let flat = flat(text);
    for part in parts {
        assert!(squeezed(&flat).contains(&squeezed(part)), "`{part}` is not in\n{flat}");
    }
}

const SOURCE: &str = r#"VoltageSource "V" { p = in; n = gnd; V = 1; } "#;

#[test]
fn parameters_become_numbers_and_names_get_a_prefix() {
    let text = r#"
        Parameters "g" { k = 2; }
        Component "Pair" {
            Port "a" { Domain = electrical; }
            Parameter "R" { Default = 3; }
            Parameters "p" { S = R/4; }
            Resistor "R1" { p = a; n = mid; R = k*R; }
            Resistor "R2" { p = mid; n = gnd; R = S - -R; }
            Function "f" { y = 2*R1.i + mid.v; }
        }
        Pair "x" { a = in; }
        Pair "y" { a = in; R = 1 - 3*k; R1.R = k; }
    "#;
    holds(
        &format!("{SOURCE}{text}"),
        &[
            r#"Resistor "x.R1" { p = in; n = x.mid; R = k*3; }"#,
            r#"Resistor "x.R2" { p = x.mid; n = gnd; R = 0.75 - -3; }"#,
            r#"Function "x.f" { y = 2*x.R1.i + x.mid.v; }"#,
            r#"Resistor "y.R1" { p = in; n = y.mid; R = k; }"#,
            r#"Resistor "y.R2" { p = y.mid; n = gnd; R = (-1.25) - -(-5); }"#,
        ],
    );
}

#[test]
fn lists_indices_sums_and_conditions_are_constants() {
    let text = r#"
        Parameters "p" { N = 3; ratio = { 1, 2.5, -4 }; axis = 0, 0, 1; }
        Repeat "i" {
            To = N;
            Resistor "R[i]" { p = in; n = n[i+1]; R = 1 + ratio[i]^2; }
            Resistor "S[i]" { If = i > 1 && i < size(ratio); p = n[i+1]; n = gnd; R = i; }
            Repeat "j" { From = 2; To = i; Resistor "T[i,j]" { p = n[i+1]; n = gnd; R = 10*i + j; } }
        }
        Resistor "U" { p = n[N+1]; n = gnd; R = sum(k, 1, N, abs(ratio[k])) + sum(k, 2, 1, k); }
        Resistor "W" { p = n[2]; n = gnd; R = 5; }
        Function "f" { y = sum(k, 1, 2, R[k].i - k); }
        Triad "t" { Parent = world; Position = axis; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
    "#;
    let text = format!("{SOURCE}{text}");
    holds(
        &text,
        &[
            r#"Resistor "R[1]" { p = in; n = n[2]; R = 1 + 1^2; }"#,
            r#"Resistor "R[3]" { p = in; n = n[4]; R = 1 + (-4)^2; }"#,
            r#"Resistor "S[2]" { p = n[3]; n = gnd; R = 2; }"#,
            r#"Resistor "T[3,2]" { p = n[4]; n = gnd; R = 10*3 + 2; }"#,
            r#"R = (abs(1) + abs(2.5) + abs((-4))) + 0;"#,
            r#"y = ((R[1].i - 1) + (R[2].i - 2));"#,
            r#"Position = {0, 0, 1};"#,
        ],
    );
    let flat = flat(&text);
    for absent in ["S[1]", "S[3]", "T[1,2]", "ratio ="] {
        assert!(!flat.contains(absent), "{absent} is in\n{flat}");
    }
}

#[test]
fn derived_components_change_and_replace_blocks() {
    let text = r#"
        Component "Base" {
            Port "a" { Domain = electrical; }
            Parameter "R" { Default = 1; Min = 0; }
            Resistor "one" { p = a; n = gnd; R = R; }
            Resistor "two" { p = a; n = gnd; R = 7; }
        }
        Component "Derived" {
            Extends = Base;
            Parameter "R" { Default = 5; }
            Resistor "one" { R = 2*R; }
            Capacitor "two" { p = a; n = gnd; C = 1; Vinit = 0; }
            Resistor "three" { p = a; n = gnd; R = 3; }
        }
        Component "Diamond" { Extends = Base, Derived; }
        Base "b" { a = in; }
        Derived "d" { a = in; }
    "#;
    let text = format!("{SOURCE}Resistor \"r\" {{ p = in; n = gnd; R = 1; }}{text}");
    let text = text.replace("Component \"Diamond\" { Extends = Base, Derived; }", "");
    holds(
        &text,
        &[
            r#"Resistor "b.one" { p = in; n = gnd; R = 1; }"#,
            r#"Resistor "b.two" { p = in; n = gnd; R = 7; }"#,
            r#"Resistor "d.one" { p = in; n = gnd; R = 2*5; }"#,
            r#"Capacitor "d.two" { p = in; n = gnd; C = 1; Vinit = 0; }"#,
            r#"Resistor "d.three""#,
        ],
    );
    assert!(!flat(&text).contains(r#"Resistor "d.two""#));
}

/// What a base takes from outside a derived component may work out itself, and the other way round.
#[test]
fn derived_components_replace_inputs_and_variables() {
    let text = r#"
        Component "Open" { Input "u" { Default = 1; } Port "p" { Domain = electrical; }
            VoltageSource "s" { p = p; n = gnd; V = u; } }
        Component "Closed" { Extends = Open; Variable "u" { } Equations "e" { u = 3*p.i; } }
        Component "Again" { Extends = Closed; Input "u" { Default = 4; } Resistor "e" { p = p; n = gnd; R = 1; } }
        Resistor "r1" { p = in; n = a; R = 1; } Closed "c" { p = a; }
        Resistor "r2" { p = in; n = b; R = 1; } Again "g" { p = b; u = 5; }
    "#;
    let text = format!("{SOURCE}{text}");
    holds(&text, &["Variable \"c.u\" {", "c.u = 3*c.p.i;", "V = c.u;", "V = g.u;"]);
    let flat = flat(&text);
    assert!(!flat.contains("Variable \"g.u\"") && !flat.contains("Equations \"g.e\""), "{flat}");
}

/// A component that nobody uses may have a parameter that can only be a list.
#[test]
fn a_list_may_be_left_open_where_nobody_uses_the_component() {
    let text = r#"Component "Row" { Parameter "R" { } Port "p" { Domain = electrical; }
        Repeat "i" { From = 1; To = size(R); Resistor "r[i]" { p = p; n = gnd; R = R[i]; } } }"#;
    flat(&format!("{SOURCE}Resistor \"r\" {{ p = in; n = gnd; R = 1; }}{text}"));
}

#[test]
fn parts_can_be_exchanged() {
    let text = r#"
        Component "Rigid" { Port "p" { Domain = electrical; } Parameter "R" { Default = 1; } Resistor "r" { p = p; n = gnd; R = R; } }
        Component "Soft" { Extends = Rigid; Parameters "c" { C = 2; } Capacitor "c" { p = p; n = gnd; C = C; Vinit = 0; } }
        Component "Axis" {
            Port "p" { Domain = electrical; }
            Parameter "Drive" { Is = Rigid; }
            Drive "d" { p = p; R = 3; }
        }
        Component "Arm" { Port "p" { Domain = electrical; } Parameter "Kind" { Is = Rigid; } Axis "a" { p = p; Drive = Kind; } }
        Axis "x" { p = in; }
        Axis "y" { p = in; Drive = Soft; d.C = 9; }
        Arm "z" { p = in; Kind = Soft; a.d.r.R = 4; }
    "#;
    holds(
        &format!("{SOURCE}{text}"),
        &[
            r#"Resistor "x.d.r" { p = in; n = gnd; R = 3; }"#,
            r#"Capacitor "y.d.c" { p = in; n = gnd; C = 9; Vinit = 0; }"#,
            r#"Capacitor "z.a.d.c" { p = in; n = gnd; C = 2; Vinit = 0; }"#,
            r#"Resistor "z.a.d.r" { p = in; n = gnd; R = 4; }"#,
        ],
    );
}

#[test]
fn words_texts_and_conditions_are_passed_on() {
    let text = r#"
        Component "Part" {
            Port "p" { Domain = electrical; }
            Parameter "Kind" { Choices = small, large; Default = small; }
            Parameter "Extra" { Default = no; }
            Resistor "r" { p = p; n = gnd; R = if(Kind == small, 1, 2); }
            Resistor "e" { If = Extra && Kind != small; p = p; n = gnd; R = 3; }
        }
        Component "Outer" { Port "p" { Domain = electrical; } Parameter "Size" { Choices = small, large; Default = large; } Part "q" { p = p; Kind = Size; Extra = yes; } }
        Part "x" { p = in; }
        Part "y" { p = in; Kind = large; }
        Outer "z" { p = in; }
    "#;
    let text = format!("{SOURCE}{text}");
    holds(
        &text,
        &[
            r#"Resistor "x.r" { p = in; n = gnd; R = if(1, 1, 2); }"#,
            r#"Resistor "y.r" { p = in; n = gnd; R = if(0, 1, 2); }"#,
            r#"Resistor "z.q.e" { p = in; n = gnd; R = 3; }"#,
        ],
    );
    assert!(!flat(&text).contains("y.e"));
}

#[test]
fn ports_are_names_for_nodes_unless_their_flow_is_asked_for() {
    let text = r#"
        Component "Part" { Port "p" { Domain = electrical; } Port "q" { Domain = electrical; } Resistor "r" { p = p; n = q; R = 1; } Resistor "s" { p = q; n = gnd; R = 1; } }
        Part "x" { p = in; q = out; }
        Part "y" { p = in; }
    "#;
    let plain = format!("{SOURCE}{text}");
    holds(
        &plain,
        &[
            r#"Resistor "x.r" { p = in; n = out; R = 1; }"#,
            r#"Port "y.q" { Domain = electrical; }"#,
        ],
    );
    assert!(!flat(&plain).contains("Port \"x."));
    let asked = format!("{plain} Function \"f\" {{ y = x.p.i; }}");
    holds(
        &asked,
        &[
            r#"Port "x.p" { Domain = electrical; Node = in; }"#,
            r#"Resistor "x.r" { p = x.p; n = out; R = 1; }"#,
            r#"y = x.p.i;"#,
        ],
    );
}

#[test]
fn inputs_become_signals() {
    let text = r#"
        Component "Drive" {
            Port "p" { Domain = electrical; }
            Input "set" { Unit = "V"; }
            Input "gain" { Default = 2; }
            Signal "twice" { Value = 2*set; Unit = "V"; }
            VoltageSource "V" { p = p; n = gnd; V = gain*set; }
        }
        Solver "v" { Type = dynamic; Solver = derf; Tend = 1; Tstep = 0.1; }
        Sine "s" { Frequency = 1; }
        Drive "d" { p = in; set = s.y + 1; }
        Resistor "r" { p = in; n = gnd; R = 1; }
        Function "f" { y = d.twice; }
    "#;
    holds(
        text,
        &[
            r#"Signal "d.set" { Value = s.y + 1; Unit = "V"; }"#,
            r#"Signal "d.gain" { Value = 2; }"#,
            r#"VoltageSource "d.V" { p = in; n = gnd; V = d.gain*d.set; }"#,
            r#"y = d.twice;"#,
        ],
    );
}

#[test]
fn files_under_a_name_keep_their_names_apart() {
    let main = r#"
        Include "a" { File = "a.dys"; As = first; }
        Include "b" { File = "b.dys"; As = second; }
        Include "c" { File = "b.dys"; As = third; }
        Parameters "p" { k = 100; }
        VoltageSource "V" { p = in; n = gnd; V = first.k; }
        first.Part "x" { p = in; }
        second.Part "y" { p = in; R = k; }
        third.Part "z" { p = in; }
        Resistor "r" { p = in; n = gnd; R = first.twice(4) + second.list[2]; }
    "#;
    let a = r#"
        Parameters "p" { k = 1; }
        Formula "twice" { Of = x; Value = 2*x*k; }
        Component "Part" { Port "p" { Domain = electrical; } Resistor "r" { p = p; n = gnd; R = twice(k); } }
    "#;
    let b = r#"
        Parameters "p" { k = 7; list = 3, 4; }
        Include "a" { File = "a.dys"; As = other; }
        Component "Part" { Port "p" { Domain = electrical; } Parameter "R" { Default = k; } other.Part "i" { p = p; } Resistor "r" { p = p; n = gnd; R = R; } }
    "#;
    let flat = flat_of(&load(&[("m.dys", main), ("a.dys", a), ("b.dys", b)]));
    for part in [
        r#"VoltageSource "V" { p = in; n = gnd; V = 1; }"#,
        r#"Resistor "x.r" { p = in; n = gnd; R = first.twice(1); }"#,
        r#"Resistor "y.r" { p = in; n = gnd; R = 100; }"#,
        r#"Resistor "y.i.r" { p = in; n = gnd; R = first.twice(1); }"#,
        r#"Resistor "z.r" { p = in; n = gnd; R = 7; }"#,
        r#"Formula "first.twice" { Of = x; Value = 2*x*1; }"#,
        r#"R = first.twice(4) + 4;"#,
    ] {
        assert!(squeezed(&flat).contains(&squeezed(part)), "`{part}` is not in\n{flat}");
    }
}

#[test]
fn triads_are_passed_through_ports() {
    let text = r#"
        Component "Link" {
            Port "from" { Domain = frame; }
            Triad "top" { Parent = b; }
            Triad "tip" { Parent = b; Position = 0, 0, -1; }
            Revolute "J" { Parent = b; TriadFrom = from; TriadTo = top; JointAxis = 0, 1, 0; }
            Body "b" { Joint = J; Mass = 1; }
        }
        Component "Leg" {
            Port "hip" { Domain = frame; }
            Link "upper" { from = hip; }
            Link "lower" { from = upper.tip; J.Qinit = 0.5; }
        }
        Triad "hook" { Parent = world; }
        Leg "leg" { hip = hook; }
        Force "F" { TriadTo = leg.lower.tip; Vector = 1, 0, leg.hip.z; Frame = world; }
    "#;
    holds(
        text,
        &[
            r#"Port "leg.hip" { Domain = frame; Node = hook; }"#,
            r#"TriadFrom = leg.upper.from;"#,
            r#"Port "leg.lower.from" { Domain = frame; Node = leg.upper.tip; }"#,
            r#"Body "leg.lower.b" { Joint = leg.lower.J; Mass = 1; }"#,
        ],
    );
    let loaded = load(&[("m.dys", text)]);
    let model = loaded.model.expect("the model is correct");
    let lower = &model.bodies[1];
    // The mother body is that of the triad that the joint comes from.
    assert_eq!(model.body_name(lower.what.parent), "leg.upper.b");
}

#[test]
fn values_of_the_command_line_reach_inside() {
    let text = r#"
        Parameters "p" { k = 2; N = 1; }
        VoltageSource "V" { p = in; n = gnd; V = 1; }
        Component "Part" { Port "p" { Domain = electrical; } Parameter "R" { Default = 1; } Resistor "r" { p = p; n = gnd; R = R; } }
        Repeat "i" { To = N; Part "x[i]" { p = in; R = k + i; } }
    "#;
    let options = engine::LoadOptions {
        set: vec!["k=10".into(), "N=2".into()],
        ..engine::LoadOptions::default()
    };
    let loaded = dysim_generated::loading::load_files(&[("m.dys", text)], &options);
    let flat = flat_of(&loaded);
    assert!(
        squeezed(&flat).contains(&squeezed(r#"Resistor "x[2].r" { p = in; n = gnd; R = 12; }"#)),
        "{flat}"
    );
}

/// Of two changes of one value the outer one counts, also of a value that the block itself leaves to its default.
#[test]
fn outer_changes_win_over_inner_ones() {
    let text = r#"
        Component "Part" { Port "p" { Domain = electrical; } Resistor "r" { p = p; n = gnd; R = 1; } Capacitor "c" { p = p; n = gnd; C = 1; } }
        Component "Mid" { Port "p" { Domain = electrical; } Part "x" { p = p; r.R = 2; c.Vinit = 0; } }
        Component "Top" { Port "p" { Domain = electrical; } Mid "m" { p = p; x.c.Vinit = 1; } }
        Top "a" { p = in; }
        Top "b" { p = in; m.x.r.R = 4; m.x.c.Vinit = 1; }
    "#;
    holds(
        &format!("{SOURCE}{text}"),
        &[
            r#"Resistor "a.m.x.r" { p = in; n = gnd; R = 2; }"#,
            r#"Capacitor "a.m.x.c" { p = in; n = gnd; C = 1; Vinit = 1; }"#,
            r#"Resistor "b.m.x.r" { p = in; n = gnd; R = 4; }"#,
            r#"Capacitor "b.m.x.c" { p = in; n = gnd; C = 1; Vinit = 1; }"#,
        ],
    );
}

/// A Repeat of a derived component changes one of its base if it has a block of the same name; else it is one more.
#[test]
fn derived_components_have_repeats_of_their_own() {
    let text = r#"
        Component "Base" {
            Port "p" { Domain = electrical; }
            Repeat "i" { To = 2; Resistor "r[i]" { p = p; n = gnd; R = i; } }
            Repeat "i" { To = 1; Resistor "s[i]" { p = p; n = gnd; R = 10*i; } }
        }
        Component "More" { Extends = Base; Repeat "i" { To = 1; Resistor "u[i]" { p = p; n = gnd; R = 7; } } }
        Component "Other" { Extends = Base; Repeat "i" { To = 3; Resistor "r[i]" { R = 5*i; } } Inductor "i" { p = p; n = gnd; L = 1; } }
        More "m" { p = in; }
        Other "o" { p = in; }
    "#;
    let text = format!("{SOURCE}{text}");
    holds(
        &text,
        &[
            r#"Resistor "m.r[2]" { p = in; n = gnd; R = 2; }"#,
            r#"Resistor "m.s[1]" { p = in; n = gnd; R = 10*1; }"#,
            r#"Resistor "m.u[1]" { p = in; n = gnd; R = 7; }"#,
            r#"Resistor "o.r[3]" { p = in; n = gnd; R = 5*3; }"#,
            r#"Resistor "o.s[1]""#,
            r#"Inductor "o.i""#,
        ],
    );
    assert!(!flat(&text).contains("m.r[3]"));
}

#[test]
fn an_if_chooses_words_and_components() {
    let text = r#"
        Component "Res" { Port "p" { Domain = electrical; } Resistor "r" { p = p; n = gnd; R = 1; } }
        Component "Ind" { Port "p" { Domain = electrical; } Inductor "l" { p = p; n = gnd; L = 1; } }
        Component "Any" {
            Port "p" { Domain = electrical; }
            Parameter "Kind" { Is = Res; }
            Parameter "Size" { Choices = small, large; }
            Kind "x" { p = p; }
            Resistor "s" { p = p; n = gnd; R = if(Size == small, 1, 2); }
        }
        Repeat "k" { To = 2; Any "a[k]" { p = in; Kind = if(k == 1, Ind, Res); Size = if(k == 1, large, small); } }
    "#;
    holds(
        &format!("{SOURCE}{text}"),
        &[
            r#"Inductor "a[1].x.l""#,
            r#"Resistor "a[1].s" { p = in; n = gnd; R = if(0, 1, 2); }"#,
            r#"Resistor "a[2].x.r""#,
            r#"Resistor "a[2].s" { p = in; n = gnd; R = if(1, 1, 2); }"#,
        ],
    );
}

/// The branch that a pass does not take may name what is not there.
#[test]
fn an_if_of_an_index_is_decided_in_each_pass() {
    let text = r#"
        Parameters "g" { N = 3; }
        Component "Stage" { Input "u" { } PT1 "f" { u = u; T = 0.1; } Signal "y" { Value = f.y; } }
        Solver "v" { Type = dynamic; Solver = derf; Tend = 1; Tstep = 0.1; }
        Repeat "k" { To = N; Stage "s[k]" { u = 2*if(k == 1, 1 + t, s[k-1].y) + if(k < N, s[k+1].y, 0); } }
    "#;
    holds(
        text,
        &[
            r#"Signal "s[1].u" { Value = 2*(1 + t) + s[2].y; }"#,
            r#"Signal "s[3].u" { Value = 2*s[2].y + 0; }"#,
        ],
    );
}

#[test]
fn names_inside_may_have_dots() {
    let text = r#"
        Component "Part" {
            Port "p" { Domain = electrical; }
            Parameter "group" { Default = 3; }
            Resistor "group.r" { p = p; n = group.n; R = group; }
            Resistor "group.s[1]" { p = group.n; n = gnd; R = 1; }
            Function "f" { y = group.r.i + group.s[1].i + group.n.v; }
        }
        Component "Outer" { Port "p" { Domain = electrical; } Part "in.ner" { p = p; } Function "g" { y = in.ner.group.r.i; } }
        Outer "o.o" { p = in; in.ner.group.s[1].R = 4; in.ner.group = 5; }
    "#;
    holds(
        &format!("{SOURCE}{text}"),
        &[
            r#"Resistor "o.o.in.ner.group.r" { p = in; n = o.o.in.ner.group.n; R = 5; }"#,
            r#"Resistor "o.o.in.ner.group.s[1]" { p = o.o.in.ner.group.n; n = gnd; R = 4; }"#,
            "y = o.o.in.ner.group.r.i + o.o.in.ner.group.s[1].i + o.o.in.ner.group.n.v;",
            "y = o.o.in.ner.group.r.i;",
        ],
    );
}
