//! Values and types of the Puppet world. Nothing is here yet.
