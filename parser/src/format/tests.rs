//! What formatted text looks like, and that formatting it again changes nothing.

use crate::source::Sources;

fn format(text: &str) -> Option<String> {
    let mut sources = Sources::default();
    sources.add("m.dys", text).unwrap();
    let source = &sources.all()[0];
    super::format(source, &crate::parse(source))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let formatted = format(text).expect("a text without errors");
    assert_eq!(formatted, expected);
    assert_eq!(format(&formatted).as_deref(), Some(expected), "formatted again");
}

/// Checks the layout of one parameter.
#[track_caller]
fn check_value(value: &str, expected: &str) {
    check(&format!("P \"p\" {{x={value};}}"), &format!("P \"p\" {{ x = {expected}; }}\n"));
}

#[test]
fn a_text_with_errors_is_not_touched() {
    assert_eq!(format("Body \"b\" { Mass = ; }"), None);
    assert_eq!(format("Body \"b\" { Mass = 1; } /* open"), None);
}

#[test]
fn equals_signs_and_trailing_comments_of_neighbours_are_aligned() {
    check(
        "Body \"b\" {  // the arm\nParent=world;   // mother body\n\tJoint = j; Mass=1.0;//kg\n\n\n \
         CGFramePosition = 0.0,0.0 ,0.0;\n  // above\n Degrees=deg;\n}",
        r#"Body "b" { // the arm
    Parent = world; // mother body
    Joint  = j;
    Mass   = 1.0; //kg

    CGFramePosition = 0.0, 0.0, 0.0;
    // above
    Degrees         = deg;
}
"#,
    );
    check(
        "A \"a\" { x=1; } // one\nLonger \"b\" { y = 2; } // two\n",
        "A \"a\" { x = 1; }      // one\nLonger \"b\" { y = 2; } // two\n",
    );
}

#[test]
fn a_comment_that_goes_on_below_stays_with_its_first_line() {
    check(
        "A \"a\" {\n  x = 1;   // begins\n           // goes on\n  // of y\n  y = 22;  // other\n}\n",
        r#"A "a" {
    x = 1; // begins
           // goes on
    // of y
    y = 22; // other
}
"#,
    );
}

#[test]
fn a_comment_that_goes_on_below_is_found_behind_tabs_and_wide_characters() {
    check(
        "A \"ä\" {\n\tx = ä;\t\t// begins\n\t\t\t// goes on\n}\n",
        "A \"ä\" {\n    x = ä; // begins\n           // goes on\n}\n",
    );
    // Right of the equals sign a comment of the next line may land at the same column by chance.
    check(
        "A \"a\" {\nx = // one\n // two\n1, // three\n2; }",
        "A \"a\" {\n    x = // one\n        // two\n        1, // three\n        2;\n}\n",
    );
}

#[test]
fn one_line_stays_one_line_while_it_fits() {
    check(
        "Triad \"t\"{Parent=b;Position=0,0,0;}\nTriad \"u\" { Parent=b; }  Triad \"v\" { }",
        "Triad \"t\" { Parent = b; Position = 0, 0, 0; }\nTriad \"u\" { Parent = b; }\nTriad \"v\" {}\n",
    );
    let wide = format!("A \"a\" {{ x = 1; y = {}; }}", "z".repeat(90));
    check(&wide, &format!("A \"a\" {{\n    x = 1;\n    y = {};\n}}\n", "z".repeat(90)));
}

#[test]
fn blank_lines_are_kept_once_and_tall_blocks_are_kept_apart() {
    check(
        "\n\n// head\n\n\n\nA \"a\" {\n\n x=1;\n\n\n y=2;\n\n}\n// of b\nB \"b\" {\n x=1;\n}\nC \"c\" { }\n\n\n",
        r#"// head

A "a" {
    x = 1;

    y = 2;
}

// of b
B "b" {
    x = 1;
}
C "c" {}
"#,
    );
    // A blank line between comments is enough.
    check(
        "A \"a\" {\nx=1;\n}\n// end of a\n\nB \"b\" {\nx=1;\n}\n",
        "A \"a\" {\n    x = 1;\n}\n// end of a\n\nB \"b\" {\n    x = 1;\n}\n",
    );
    check("", "");
    check("  \n\n", "");
    check("\n // only\n", "// only\n");
}

#[test]
fn sums_and_comparisons_have_blanks_and_products_none() {
    check_value("2 * L+0.1", "2*L + 0.1");
    check_value("a / /* c */ b * -2", "a/ /* c */ b*-2");
    check_value("- ( a-b )^-2", "-(a - b)^-2");
    check_value("if( a<b&&! c , f ( x ),g( ) )", "if(a < b && !c, f(x), g())");
    check_value("1.e-9,-2.50 , +3", "1.e-9, -2.50, +3");
    check_value("- 5, - - 5, -+ 5", "-5, - -5, -+5");
}

#[test]
fn what_may_be_a_name_is_neither_split_nor_made() {
    check_value("a-b", "a-b");
    check_value("a - b", "a - b");
    check_value("a -b", "a - b");
    check_value("- a", "- a");
    check_value("-a", "-a");
    check_value("- - a", "- -a");
    check_value("- \"a-b\".q", "-\"a-b\".q");
    check_value("2link, a--b, +, -, Revolute:a.q[2]", "2link, a--b, +, -, Revolute:a.q[2]");
    check_value("{a-b,+}", "{ a-b, + }");
}

#[test]
fn line_breaks_of_the_user_stay_in_values() {
    check(
        "B \"b\" {\n K = 1e5,0,0, // x\n 0,-2.5,0,\n 0,0,10;\n V = {\n0,0,\n1,0,\n};\n W={0,0,0,\n1,0,0};\n \
         Q = a*sin(t)+\nb*cos(t);\n F = f(\na,\nb);\n E = { };\n N =\n {{1,2},\n{3,4}}\n;\n I = 1,0,0,\n1,0,\n1;\n}\n",
        r#"B "b" {
    K = 1e5,    0,  0, // x
          0, -2.5,  0,
          0,    0, 10;
    V = {
        0, 0,
        1, 0,
    };
    W = { 0, 0, 0,
          1, 0, 0 };
    Q = a*sin(t) +
        b*cos(t);
    F = f(
        a,
        b
    );
    E = {};
    N = { { 1, 2 },
          { 3, 4 } };
    I = 1, 0, 0,
        1, 0,
        1;
}
"#,
    );
}

#[test]
fn comments_in_odd_places_stay() {
    check(
        "A/*1*/\"a\"/*2*/{/*3*/x/*4*/=/*5*/-/*6*/1/*7*/,/*8*/f/*9*/(/*a*/)/*b*/;/*c*/}/*d*/",
        "A /*1*/ \"a\" /*2*/ { /*3*/ x /*4*/ = /*5*/ - /*6*/ 1 /*7*/, /*8*/ f /*9*/ (/*a*/) /*b*/; \
         /*c*/ } /*d*/\n",
    );
}

#[test]
fn comments_between_parameters_go_with_what_follows_them() {
    check(
        "A \"a\" { /* of x */ x = 1; /* of y */ y = 2; /* last */\n}",
        r#"A "a" {
    /* of x */
    x = 1;
    /* of y */
    y = 2; /* last */
}
"#,
    );
    check(
        "A // k\n\"a\" // n\n{ // b\nx // p\n = // e\n 1 // v\n , 2 // w\n ; // s\n} // z",
        r#"A       // k
    "a" // n
    {   // b
    x         // p
        =     // e
          1   // v
          , 2 // w
          ;   // s
} // z
"#,
    );
}

#[test]
fn stray_semicolons_stay_where_they_are() {
    check("A \"a\" { x = 1;; };", "A \"a\" { x = 1;; };\n");
    check("; A \"a\" {\n;\nx = 1;\n; // c\n};\n", ";\nA \"a\" {\n    ;\n    x = 1;; // c\n};\n");
}

#[test]
fn windows_line_ends_and_byte_order_marks_go() {
    check(
        "\u{feff}A \"a\" {\r\n\tx = 1; // c \t\r\n}\r\n/* b\r\n  c */\r\n",
        "A \"a\" {\n    x = 1; // c\n}\n/* b\n  c */\n",
    );
}

#[test]
fn long_chains_and_many_blocks_are_no_trouble() {
    let text = format!("P \"p\" {{ x = {}1; }}", "a*2+".repeat(200_000));
    let expected = format!("P \"p\" {{\n    x = {}1;\n}}\n", "a*2 + ".repeat(200_000));
    assert!(format(&text) == Some(expected));
    let text = "T \"t\" { P=b; X = 0,0,0; } // c\n".repeat(50_000);
    let expected = "T \"t\" { P = b; X = 0, 0, 0; } // c\n".repeat(50_000);
    assert!(format(&text) == Some(expected));
}

#[test]
fn blocks_inside_of_blocks_are_indented() {
    let text = "Component \"A\" { About = \"x\"; Port \"p\" { Domain = electrical; }  // the port\n\
                Repeat \"i\" { To = 3;\nResistor \"R[i - 1]\" { p = n[i -1].x; n = a-b; R = link[ i ].q - R[2]*(3+1); } }\n\
                Equations \"e\" { J*der(w)=a.tau-b; (x)+y = if(a==1,2,-z);\n  // a line\n If = k>1; }\n\n\n\
                When \"w\" { Condition = a.z<r; Set { J.qd = -0.8*J.qd; n=n+1; } } }\n\
                lib.Motor \"m[2]\" { Ra.R = 260; c[ k+1 ].C = 1;\n}\n\
                Automaton \"g\" { Start = idle; Transitions { idle->run:s.y>0.5; run -> idle : s.y < 0.5; /* back */ } }\n";
    let expected = "Component \"A\" {\n    About = \"x\";\n    Port \"p\" { Domain = electrical; } // the port\n    \
                    Repeat \"i\" {\n        To = 3;\n        \
                    Resistor \"R[i - 1]\" { p = n[i -1].x; n = a-b; R = link[ i ].q - R[2]*(3 + 1); }\n    }\n\n    \
                    Equations \"e\" {\n        J*der(w)  = a.tau - b;\n        (x) + y   = if(a == 1, 2, -z);\n        // a line\n        \
                    If        = k > 1;\n    }\n\n    \
                    When \"w\" { Condition = a.z < r; Set { J.qd = -0.8*J.qd; n = n + 1; } }\n}\n\
                    lib.Motor \"m[2]\" {\n    Ra.R = 260;\n    c[ k+1 ].C = 1;\n}\n\
                    Automaton \"g\" { Start = idle; Transitions { idle -> run : s.y > 0.5; run -> idle : s.y < 0.5; /* back */ } }\n";
    let once = format(text).unwrap();
    assert_eq!(squeezed(&once), squeezed(expected));
    assert_eq!(format(&once).as_ref(), Some(&once));
    for line in [
        "    Port \"p\" { Domain = electrical; } // the port",
        "        To = 3;",
        "    When \"w\" {",
    ] {
        assert!(once.contains(line), "`{line}` is not in\n{once}");
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}
