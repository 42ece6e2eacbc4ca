-- Which memberships a customer holds now, the own ones and those that are shared with it: for filters and conditions.
CREATE VIEW customer_membership_held WITH (security_invoker = true) AS
SELECT DISTINCT u.provider_id, u.customer_id, cm.membership_id
FROM customer_membership_user u
  JOIN customer_membership cm ON cm.provider_id = u.provider_id AND cm.id = u.customer_membership_id
WHERE cm.status = 'active';
GRANT SELECT ON customer_membership_held TO rollcall_app, rollcall_across;
