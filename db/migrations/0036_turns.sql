-- Jobs of one business run one after the other, so it never has more than one worker and another business's job finds a free
-- one. What somebody waits for in front of a screen comes first, beside the others of its business; what nobody waits for
-- comes last.
DROP FUNCTION enqueue_job(text, json, text, timestamptz);
CREATE FUNCTION enqueue_job(task text, payload json, key text, run_at timestamptz, urgency text DEFAULT 'usual') RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  PERFORM graphile_worker.add_job(task, payload, run_at := run_at, job_key := key, max_attempts := 25,
    queue_name := CASE WHEN urgency <> 'first' THEN 'business:' || (payload->>'provider_id') END,
    priority := CASE urgency WHEN 'first' THEN -1 WHEN 'last' THEN 1 ELSE 0 END);
END $$;
REVOKE ALL ON FUNCTION enqueue_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_job TO rollcall_app, rollcall_across;
