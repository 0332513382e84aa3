//! Plugins compiled into `dysim`.
