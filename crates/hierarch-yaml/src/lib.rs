//! YAML and JSON documents: read with positions, written back losslessly. Nothing is here yet.
