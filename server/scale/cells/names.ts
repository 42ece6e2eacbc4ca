/**
 * The names by which requests identify their business, as areas declare them. Triggers record them in `cell_name`, so
 * that other cells learn of changes without a search of the tables.
 */
import type { CellName } from '../../kernel/api/cell-declarations.ts';

/** Returns the function that records a change of a row, and its trigger. */
export const watchNames = ({ kind, table, columns, name }: CellName): string => `
CREATE OR REPLACE FUNCTION cell_name_${kind}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public AS $$
DECLARE
  earlier text;
  later text;
BEGIN
  IF TG_OP <> 'INSERT' THEN earlier := '${kind}:' || ${name('OLD')}; END IF;
  IF TG_OP <> 'DELETE' THEN later := '${kind}:' || ${name('NEW')}; END IF;
  IF earlier IS NOT DISTINCT FROM later THEN RETURN NULL; END IF;
  UPDATE cell_name SET gone = true, changed_in = pg_current_xact_id(), changed_at = now()
    WHERE name = earlier AND provider_id = OLD.provider_id;
  INSERT INTO cell_name (name, provider_id) SELECT later, NEW.provider_id WHERE later IS NOT NULL
    ON CONFLICT (name) DO UPDATE SET provider_id = excluded.provider_id, gone = false,
      changed_in = excluded.changed_in, changed_at = excluded.changed_at;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER cell_name_${kind} AFTER INSERT OR DELETE OR UPDATE OF ${columns.join(', ')} ON ${table}
  FOR EACH ROW EXECUTE FUNCTION cell_name_${kind}();
`;

/** Returns the function that looks up the names of a business, or of all (null), from all sources. */
export const publishNames = (names: readonly CellName[]): string => `
CREATE OR REPLACE FUNCTION tell_cell_names(business bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public AS $$
BEGIN
  CREATE TEMPORARY TABLE names_now ON COMMIT DROP AS SELECT name, provider_id FROM (
    ${names.map(namesIn).join('\n    UNION ALL ')}
  ) n WHERE name IS NOT NULL AND provider_id = coalesce(business, provider_id);
  INSERT INTO cell_name AS known (name, provider_id) SELECT name, provider_id FROM names_now
    ON CONFLICT (name) DO UPDATE SET provider_id = excluded.provider_id, gone = false,
      changed_in = excluded.changed_in, changed_at = excluded.changed_at
    WHERE known.gone OR known.provider_id <> excluded.provider_id;
  UPDATE cell_name k SET gone = true, changed_in = pg_current_xact_id(), changed_at = now()
    WHERE NOT gone AND provider_id = coalesce(business, provider_id) AND provider_id <> ALL (elsewhere())
      AND NOT EXISTS (SELECT FROM names_now n WHERE n.name = k.name);
  DROP TABLE names_now;
END $$;
`;

const namesIn = ({ kind, table, name }: CellName): string =>
  `SELECT '${kind}:' || ${name('t')} AS name, t.provider_id FROM ${table} t`;
