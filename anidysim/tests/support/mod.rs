//! Pictures for tests: drawn without a window, compared so that drivers may differ a little.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, OnceLock};

use anidysim::record::snap;
use anidysim::render::{Stage, headless};
use anidysim::scene::Scene;
use anidysim::view::{Camera, View};
use kiss3d::window::Window;
use language::load::{Disk, Input, LoadOptions, load};
use language::model::Model;
use mechanics::Pose;

/// Size of all pictures.
const SIZE: (u32, u32) = (320, 240);

/// Width / height.
pub const ASPECT: f64 = 320.0 / 240.0;

/// Pixels on each side of the squares whose mean colours are compared.
const SQUARE: u32 = 8;

/// How far the means may differ, of 255. Drivers place and smooth edges differently, by less than half
/// a pixel: for an edge from black to white that runs along a square this is half of one of 8 rows,
/// 255/16.
const TOLERANCE: f64 = 255.0 / 16.0;

/// How far they may differ on the average over the whole picture, of 255: rounding of colours.
const MEAN_TOLERANCE: f64 = 1.0;

/// A model of one body, with further blocks.
pub fn model(blocks: &str, body: &str) -> Model {
    let text = format!(
        "Header \"h\" {{ ModelName = m; }} System \"s\" {{ }} Solver \"v\" {{ Type = dynamic; Solver = de; }}
         Triad \"low\" {{ Parent = world; }} Triad \"high\" {{ Parent = world; Position = 0.2, 0.1, 1; }}
         Triad \"tip\" {{ Parent = b; Position = 0, 0, 0.2; }} Triad \"on\" {{ Parent = b; }}
         Free \"J\" {{ Parent = b; TriadFrom = low; TriadTo = on; }}
         Body \"b\" {{ Parent = world; Joint = J; {body} }}
         {blocks}"
    );
    let input = Input::Text { name: "test.dys".into(), bytes: text.into_bytes() };
    let loaded = load(input, &LoadOptions::default(), &Disk).unwrap();
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    std::sync::Arc::unwrap_or_clone(loaded.model.unwrap_or_else(|| panic!("{messages:?}")))
}

/// The scene of that model; mesh files are beside the stored pictures.
pub fn scene(blocks: &str) -> Scene {
    let scene = Scene::new(&model(blocks, ""), &stored("test.dys"));
    assert!(scene.problems.is_empty(), "{:?}", scene.problems);
    scene
}

fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(name)
}

/// A picture and how it was looked at.
pub struct Shot {
    pub width: u32,
    pub height: u32,
    pub rgb: Vec<u8>,
    pub camera: Camera,
    pub view: View,
}

/// Draws a scene. `None` where there is no driver, which only the integration server counts as a failure.
pub fn draw(scene: Scene, poses: &[Option<Pose>], view: impl FnOnce(&mut View)) -> Option<Shot> {
    draw_with(scene, poses, |_| {}, view)
}

/// Draws a scene after further preparations.
pub fn draw_with(
    scene: Scene,
    poses: &[Option<Pose>],
    prepare: impl FnOnce(&mut Stage) + Send + 'static,
    change: impl FnOnce(&mut View),
) -> Option<Shot> {
    let mut view = View::default();
    change(&mut view);
    let poses = poses.to_vec();
    let (answer, drawn) = mpsc::channel();
    let job = move |window: &mut Opened| {
        let shot = match window {
            Ok(window) => {
                Ok(kiss3d::pollster::block_on(picture(window, scene, &poses, prepare, view)))
            }
            Err(problem) => Err(problem.clone()),
        };
        let _ = answer.send(shot);
    };
    artist().send(Box::new(job)).unwrap();
    match drawn.recv().unwrap() {
        Ok(shot) => Some(shot),
        Err(problem) => {
            assert!(std::env::var_os("CI").is_none(), "{problem}");
            eprintln!("not tested: {problem}");
            None
        }
    }
}

type Opened = Result<Window, String>;
type Job = Box<dyn FnOnce(&mut Opened) + Send>;

/// The one thread that draws, with the one window. Both live as long as the process: kiss3d keeps its device in
/// the thread, and neither survives the end of the other.
fn artist() -> Sender<Job> {
    static ARTIST: OnceLock<Mutex<Sender<Job>>> = OnceLock::new();
    let started = ARTIST.get_or_init(|| {
        let (sender, jobs) = mpsc::channel::<Job>();
        std::thread::spawn(move || {
            let mut window = match kiss3d::pollster::block_on(headless(SIZE.0, SIZE.1)) {
                Ok((window, None)) => Ok(window),
                Ok((_, Some(note))) => Err(note),
                Err(error) => Err(error.to_string()),
            };
            jobs.into_iter().for_each(|job| job(&mut window));
        });
        Mutex::new(sender)
    });
    started.lock().unwrap().clone()
}

async fn picture(
    window: &mut Window,
    scene: Scene,
    poses: &[Option<Pose>],
    prepare: impl FnOnce(&mut Stage),
    view: View,
) -> Shot {
    let mut stage = Stage::new(scene);
    stage.set_poses(poses);
    prepare(&mut stage);
    stage.draw(window, &view).await;
    let picture = snap(window);
    let camera = stage.camera(&view);
    Shot { width: picture.width, height: picture.height, rgb: picture.rgb, camera, view }
}

impl Shot {
    /// Width and height in pixels.
    pub fn size(&self) -> (f64, f64) {
        (f64::from(self.width), f64::from(self.height))
    }

    /// The colour of a pixel.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let at = 3 * (y * self.width + x) as usize;
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }

    /// The middle of all pixels of a kind, in pixels from the upper left corner, and their number.
    pub fn centroid(&self, wanted: impl Fn([u8; 3]) -> bool) -> (f64, f64, u32) {
        let (mut sum, mut count) = ((0.0, 0.0), 0);
        for y in 0..self.height {
            for x in (0..self.width).filter(|&x| wanted(self.pixel(x, y))) {
                // The middle of a pixel.
                sum = (sum.0 + f64::from(x) + 0.5, sum.1 + f64::from(y) + 0.5);
                count += 1;
            }
        }
        let n = f64::from(count.max(1));
        (sum.0 / n, sum.1 / n, count)
    }

    /// Mean colours of squares.
    fn squares(&self) -> Vec<[f64; 3]> {
        let mean = |column: u32, row: u32| {
            let mut sum = [0.0; 3];
            for k in 0..SQUARE * SQUARE {
                let pixel = self.pixel(column * SQUARE + k % SQUARE, row * SQUARE + k / SQUARE);
                sum = std::array::from_fn(|c| sum[c] + f64::from(pixel[c]));
            }
            sum.map(|total| total / f64::from(SQUARE * SQUARE))
        };
        let rows = 0..self.height / SQUARE;
        rows.flat_map(|row| (0..self.width / SQUARE).map(move |column| (column, row)))
            .map(|(column, row)| mean(column, row))
            .collect()
    }

    fn save(&self, path: &Path) {
        image::RgbImage::from_raw(self.width, self.height, self.rgb.clone())
            .unwrap()
            .save(path)
            .unwrap();
    }
}

/// How two pictures differ, if they differ more than drivers do.
pub fn difference(a: &Shot, b: &Shot) -> Result<(), String> {
    if (a.width, a.height) != (b.width, b.height) {
        return Err("they have different sizes".to_owned());
    }
    let (squares_a, squares_b) = (a.squares(), b.squares());
    let apart =
        |(p, q): (&[f64; 3], &[f64; 3])| (0..3).map(|c| (p[c] - q[c]).abs()).fold(0.0, f64::max);
    let all: Vec<f64> = squares_a.iter().zip(&squares_b).map(apart).collect();
    let most = all.iter().copied().fold(0.0, f64::max);
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    if most > TOLERANCE || mean > MEAN_TOLERANCE {
        return Err(format!(
            "squares differ by {most:.1} of 255 at most (allowed {TOLERANCE:.1}), {mean:.2} on the average (allowed {MEAN_TOLERANCE})"
        ));
    }
    Ok(())
}

/// Compares with a stored picture. The one drawn is left in the temporary directory if it differs.
pub fn assert_like(name: &str, shot: &Shot) {
    let path = stored(&format!("{name}.png"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return shot.save(&path);
    }
    let image =
        image::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).to_rgb8();
    let (width, height) = image.dimensions();
    let stored = Shot {
        width,
        height,
        rgb: image.into_raw(),
        camera: shot.camera.clone(),
        view: shot.view.clone(),
    };
    if let Err(reason) = difference(&stored, shot) {
        let drawn = std::env::temp_dir().join(format!("anidysim-{name}.png"));
        shot.save(&drawn);
        panic!("{name}: {reason}; drawn: {}, stored: {}", drawn.display(), path.display());
    }
}
