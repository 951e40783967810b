-- A running server puts a template right that somebody has changed. Its id is a hash of its text, so there is one right text.
grant update (template) on receipt_templates to rewards_app;
