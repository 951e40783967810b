-- Widgets that merchants publish: deployments, and their numbered versions, which never change.
create table widget_deployments (
  environment_id uuid not null references environments (id),
  id uuid not null,
  -- The id in the merchant's document.
  document_key text not null,
  created_at timestamptz not null,
  primary key (environment_id, id),
  unique (environment_id, document_key)
);
-- The requests of a page name a deployment and no environment.
create index widget_deployments_by_id on widget_deployments (id);

create table widget_deployment_versions (
  environment_id uuid not null,
  deployment_id uuid not null,
  version integer not null,
  -- The program that the document names.
  program_id text not null,
  document json not null,
  -- SHA-256 of the document's canonical JSON (RFC 8785).
  document_hash bytea not null,
  published_at timestamptz not null,
  published_by text not null,
  primary key (environment_id, deployment_id, version),
  foreign key (environment_id, deployment_id) references widget_deployments (environment_id, id),
  foreign key (environment_id, program_id) references programs (environment_id, id)
);

grant select on widget_deployments, widget_deployment_versions to rewards_app;
