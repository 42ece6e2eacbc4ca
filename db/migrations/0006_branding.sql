-- What the pages for people of a business look like.
ALTER TABLE provider ADD COLUMN brand_color text CHECK (brand_color ~ '^#[0-9a-f]{6}$');
