-- expand

-- Backups that were restored into a throw-away database and audited, so that missing tests are noticed.
CREATE TABLE restore_test (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  host text NOT NULL,
  file text NOT NULL
);
