//! Data files and manifests: configuration keys with values, tasks, packages, action inputs.
