-- The last action that was asked to change an object.
CREATE INDEX bulk_action_result_object ON bulk_action_result (provider_id, primary_object, bulk_action_id);

-- Everybody who holds it shares it with the family, those included who will hold it.
ALTER TABLE membership ADD COLUMN shared_with_families boolean NOT NULL DEFAULT false,
  ADD CHECK (shareable OR NOT shared_with_families);

CREATE FUNCTION families_need_sharing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.shared_with_families := false;
  RETURN NEW;
END $$;
CREATE TRIGGER families_need_sharing BEFORE UPDATE OF shareable ON membership FOR EACH ROW
  WHEN (NEW.shared_with_families AND NOT NEW.shareable) EXECUTE FUNCTION families_need_sharing();

-- The row of the membership is locked before it is asked: of two at once, either the sale sees the flag, or whoever sets it sees what was sold.
CREATE FUNCTION share_from_now_on() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  with_families boolean;
BEGIN
  SELECT m.shared_with_families INTO with_families FROM membership m WHERE m.provider_id = NEW.provider_id AND m.id = NEW.membership_id FOR KEY SHARE;
  NEW.shared_with_family := NEW.shared_with_family OR coalesce(with_families, false);
  RETURN NEW;
END $$;
CREATE TRIGGER share_from_now_on BEFORE INSERT ON customer_membership FOR EACH ROW EXECUTE FUNCTION share_from_now_on();
