//! Components of `library/drives.dys`.
