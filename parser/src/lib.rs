//! The text of dysim: the `.dys` language, its diagnostics, and the `.ani` table.

pub mod animation;
