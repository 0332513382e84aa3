"""The tasks of simulations.py as models for dysim, and the program that runs them."""

import os
import subprocess
import tempfile

# Measures of all programs: rods of 1 m and 1 kg that fall for a second.
INERTIA = 1 / 12
SLIM = 1e-3
END = 1.0
WINDOW_SPEED = -1.0

POSES = 'Output "o" { Files = pva; }\n'


def head(solver, tolerance, end):
    return (
        'Header "h" { ModelName = case; OutputType = none; }\n'
        'System "s" { GravAccel = 0, 0, -9.81; ScaleGrav = 1; }\n'
        f'Solver "v" {{ Type = dynamic; Solver = {solver}; RelErr = {tolerance}; AbsErr = {tolerance}; Tstart = 0;\n'
        f"    Tend = {end}; Tstep = {end}; TstepMax = {end}; TstepMin = 0; TstepIni = 1e-4; }}\n"
    )


def rod(name, parent, joint, extra=""):
    return (
        f'Body "{name}" {{ Parent = {parent}; Joint = {joint}; Mass = 1; CGFramePosition = 0.5, 0, 0;\n'
        f"    Inertia = {SLIM}, 0, 0, {INERTIA}, 0, {INERTIA}; {extra} }}\n"
        f'Triad "{name}_0" {{ Parent = {name}; }} Triad "{name}_1" {{ Parent = {name}; Position = 1, 0, 0; }}\n'
    )


def chain_text(n, solver, tolerance, end):
    """n rods, horizontal at rest."""
    text = head(solver, tolerance, end) + 'Triad "o" { Parent = world; }\n'
    for k in range(n):
        place = "o" if k == 0 else f"b{k - 1}_1"
        parent = "world" if k == 0 else f"b{k - 1}"
        text += rod(f"b{k}", parent, f"j{k}")
        text += f'Revolute "j{k}" {{ Parent = b{k}; TriadFrom = {place}; TriadTo = b{k}_0; JointAxis = 0, 1, 0; }}\n'
    return text + POSES


def windows_text(n, solver, tolerance, end):
    """n windows of rods of 1 m (IFToMM A02): n + 1 uprights, n rods above, turning at first as one parallelogram."""
    text = head(solver, tolerance, end)
    for k in range(n + 1):
        text += f'Triad "a{k}" {{ Parent = world; Position = {k}, 0, 0; }}\n'
        text += rod(f"u{k}", "world", f"ju{k}")
        fixed = "Fixed = yes;" if k == 0 else ""
        text += (
            f'Revolute "ju{k}" {{ Parent = u{k}; TriadFrom = a{k}; TriadTo = u{k}_0; JointAxis = 0, 1, 0;'
            f" Qinit = -pi/2; QDinit = {-WINDOW_SPEED}; {fixed} }}\n"
        )
    for k in range(n):
        text += rod(f"c{k}", f"u{k}", f"jc{k}")
        text += (
            f'Revolute "jc{k}" {{ Parent = c{k}; TriadFrom = u{k}_1; TriadTo = c{k}_0; JointAxis = 0, 1, 0;'
            f" Qinit = pi/2; QDinit = {WINDOW_SPEED}; }}\n"
            f'Revolute "jl{k}" {{ Role = loop; TriadFrom = c{k}_1; TriadTo = u{k + 1}_1; JointAxis = 0, 1, 0; }}\n'
        )
    return text + POSES


class Dysim:
    """The program, on a text in a directory of its own."""

    def __init__(self, program, text, body):
        self.program, self.body, self.folder = program, body, tempfile.TemporaryDirectory()
        with open(os.path.join(self.folder.name, "case.dys"), "w") as file:
            file.write(text)

    def __call__(self):
        done = subprocess.run(
            [self.program, "--quiet", "case.dys"], cwd=self.folder.name, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr)

    def tip(self):
        """The end of the rod in the last row: position and first column of the rotation."""
        with open(os.path.join(self.folder.name, "case.pva")) as file:
            lines = file.read().splitlines()
        row = dict(zip(lines[0].split()[1:], map(float, lines[-1].split())))
        get = lambda part: row[f"{self.body}.{part}"]
        return get("x") + get("D11"), get("z") + get("D31")


class DysimModel:
    """A model of the repository, with all its result files."""

    def __init__(self, program, model):
        self.program, self.model, self.folder = program, model, tempfile.TemporaryDirectory()

    def __call__(self):
        command = [self.program, "--quiet", "--out", self.folder.name, self.model]
        subprocess.run(command, check=True, capture_output=True)
