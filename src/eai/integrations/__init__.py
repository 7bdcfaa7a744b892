"""Other packages, each behind its extra: live models, evaluation frameworks."""
