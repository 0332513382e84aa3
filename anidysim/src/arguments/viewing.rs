//! How the scene is looked at, on the command line.

use std::str::FromStr;

use clap::Args;

use crate::view::{Item, Plane, Projection, View};

/// Camera and what is shown.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "View")]
pub struct Viewing {
    /// `standard`, `xy`, `xz`, `yz`, or angles in degrees and lengths in metres: AZIMUTH,ELEVATION about
    /// the world's z from x and above the horizontal, then if wanted DISTANCE, then X,Y,Z looked at
    #[arg(long, value_name = "VIEW", allow_hyphen_values = true)]
    pub camera: Option<Standpoint>,

    /// Parallel lines stay parallel
    #[arg(long)]
    pub orthographic: bool,

    /// Let the camera follow a body in x and y
    #[arg(long, value_name = "BODY")]
    pub follow: Option<String>,

    /// Show what is hidden by default, several separated by commas: labels, triads, forces, legend, wireframe
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = item)]
    pub show: Vec<Item>,

    /// Hide what is shown by default, several separated by commas: grid, axes, smooth, trails, shadows
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = item)]
    pub hide: Vec<Item>,
}

/// Where the camera is.
#[derive(Clone, Debug, PartialEq)]
pub enum Standpoint {
    /// As the program chooses.
    Standard,
    /// Square to a plane.
    Plane(Plane),
    /// From a direction: azimuth and elevation (rad), distance (m), target (m).
    From(f64, f64, Option<f64>, Option<[f64; 3]>),
}

impl FromStr for Standpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "standard" => return Ok(Standpoint::Standard),
            "xy" => return Ok(Standpoint::Plane(Plane::Xy)),
            "xz" => return Ok(Standpoint::Plane(Plane::Xz)),
            "yz" => return Ok(Standpoint::Plane(Plane::Yz)),
            _ => {}
        }
        let numbers: Result<Vec<f64>, _> =
            text.split(',').map(|word| word.trim().parse::<f64>()).collect();
        let numbers = numbers.unwrap_or_default();
        let (&[azimuth, elevation, ref rest @ ..], true) =
            (&numbers[..], numbers.iter().all(|number| number.is_finite()))
        else {
            return Err(EXPECTED.to_owned());
        };
        let (azimuth, elevation) = (azimuth.to_radians(), elevation.to_radians());
        match *rest {
            [] => Ok(Standpoint::From(azimuth, elevation, None, None)),
            [distance] if distance > 0.0 => {
                Ok(Standpoint::From(azimuth, elevation, Some(distance), None))
            }
            [distance, x, y, z] if distance > 0.0 => {
                Ok(Standpoint::From(azimuth, elevation, Some(distance), Some([x, y, z])))
            }
            _ => Err(EXPECTED.to_owned()),
        }
    }
}

const EXPECTED: &str = "expected standard, xy, xz, yz, or numbers AZIMUTH,ELEVATION[,DISTANCE[,X,Y,Z]] with a distance above 0";

fn item(word: &str) -> Result<Item, String> {
    let found = Item::ALL.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(word));
    found.map(|&(item, ..)| item).ok_or_else(|| {
        let known: Vec<&str> = Item::ALL.iter().map(|&(_, word, _)| word).collect();
        format!("expected one of {}", known.join(", "))
    })
}

impl Viewing {
    /// Changes a view as asked. `fit` frames the motion again after a change of direction; `bodies` are
    /// the names of the model's bodies.
    ///
    /// # Errors
    /// If the body to follow is not there.
    pub fn apply(
        &self,
        view: &mut View,
        mut fit: impl FnMut(&mut View),
        bodies: &[String],
    ) -> Result<(), String> {
        if self.orthographic {
            view.camera.projection = Projection::Orthographic;
        }
        match &self.camera {
            None | Some(Standpoint::Standard) => {
                if self.orthographic {
                    fit(view);
                }
            }
            Some(Standpoint::Plane(plane)) => {
                view.camera.look_at_plane(*plane);
                fit(view);
            }
            &Some(Standpoint::From(azimuth, elevation, distance, target)) => {
                (view.camera.azimuth, view.camera.elevation) = (azimuth, elevation);
                fit(view);
                view.camera.distance = distance.unwrap_or(view.camera.distance);
                view.camera.target = target.map_or(view.camera.target, Into::into);
            }
        }
        view.set_home();
        self.show.iter().for_each(|&item| view.options.set(item, true));
        self.hide.iter().for_each(|&item| view.options.set(item, false));
        if let Some(name) = &self.follow {
            let body = bodies.iter().position(|body| body == name);
            view.body = Some(body.ok_or_else(|| format!("there is no body `{name}` to follow"))?);
            view.set_following(true, None);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cameras_are_read() {
        let read = |text: &str| text.parse::<Standpoint>();
        assert_eq!(read("XZ"), Ok(Standpoint::Plane(Plane::Xz)));
        assert_eq!(
            read("-90, 0"),
            Ok(Standpoint::From(-std::f64::consts::FRAC_PI_2, 0.0, None, None))
        );
        assert_eq!(
            read("0,0,2,1,2,3"),
            Ok(Standpoint::From(0.0, 0.0, Some(2.0), Some([1.0, 2.0, 3.0])))
        );
        for wrong in ["", "up", "1", "1,2,-3", "1,2,3,4", "1,2,nan", "inf,0", "1,2,0"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_view_is_changed_as_asked() {
        let viewing = Viewing {
            camera: Some(Standpoint::Plane(Plane::Yz)),
            orthographic: true,
            follow: Some("b".to_owned()),
            show: vec![Item::Labels],
            hide: vec![Item::Grid],
        };
        let mut view = View::default();
        let mut fitted = 0;
        let bodies = ["a".to_owned(), "b".to_owned()];
        viewing.apply(&mut view, |_| fitted += 1, &bodies).unwrap();
        assert_eq!((fitted, view.body, view.is_following()), (1, Some(1), true));
        assert_eq!((view.camera.azimuth, view.camera.projection), (0.0, Projection::Orthographic));
        assert!(view.options.shows(Item::Labels) && !view.options.shows(Item::Grid));
        let unknown = Viewing { follow: Some("c".to_owned()), ..viewing };
        assert!(unknown.apply(&mut view, |_| {}, &bodies).unwrap_err().contains("`c`"));
    }
}
