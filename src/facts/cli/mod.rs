//! Command lines by framework: commands and flags, read from their declarations.
