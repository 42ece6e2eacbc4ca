/** The condition that a customer may open a collection, as SQL: for lists, properties, and the check before a link. */
import { ofMyFamily } from '../../people/customers/index.ts';
import { nowInstant, viewedByStaff, type Input } from '../../../kernel/work/access/viewer.ts';
import { param, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';

/**
 * The customer for whom the properties about one customer are computed: the viewer, or the one that `active_customer`
 * names.
 */
const activeCustomer = param<Input>((i) => i.query.active_customer ?? i.viewer.customerId);

/** Selects the id of that customer; no row if the viewer may not see them. */
export const shownCustomer: Sql = sql`(SELECT c.id FROM customer c WHERE c.provider_id = current_provider_id()
  AND c.id = ${activeCustomer} AND c.deleted_at IS NULL AND (${viewedByStaff}::boolean OR ${ofMyFamily('c.id')}))`;

/** A family membership counts for the whole family, a shared one for the people with whom it is shared. */
const hasMembership = (collection: string, customer: Sql, now: Sql): Sql => sql`EXISTS (
  SELECT FROM content_collection_membership l
  JOIN customer_membership cm ON cm.provider_id = l.provider_id AND cm.membership_id = l.membership_id
  WHERE l.provider_id = ${raw(collection)}.provider_id AND l.content_collection_id = ${raw(collection)}.id
    AND cm.status = 'active' AND (cm.start_date IS NULL OR cm.start_date <= (${now} AT TIME ZONE 'UTC')::date)
    AND NOT EXISTS (SELECT FROM invoice i WHERE i.provider_id = cm.provider_id AND i.id = cm.unpaid_invoice_id
      AND i.due_minor > 0)
    AND (cm.customer_id = ${customer}
      OR EXISTS (SELECT FROM customer_membership_share s WHERE s.provider_id = cm.provider_id
        AND s.customer_membership_id = cm.id AND s.customer_id = ${customer})
      OR (cm.shared_with_family AND EXISTS (SELECT FROM customer owner
        JOIN customer member ON member.provider_id = owner.provider_id AND member.family_id = owner.family_id
        WHERE owner.provider_id = cm.provider_id AND owner.id = cm.customer_id AND member.id = ${customer}))))`;

const takesCourse = (collection: string, customer: Sql): Sql => sql`EXISTS (
  SELECT FROM content_collection_course l
  JOIN course_date_series s ON s.provider_id = l.provider_id AND s.course_id = l.course_id
  JOIN course_enrollment e ON e.provider_id = s.provider_id AND e.course_date_series_id = s.id
  WHERE l.provider_id = ${raw(collection)}.provider_id AND l.content_collection_id = ${raw(collection)}.id
    AND e.status = 'active' AND e.customer_id = ${customer})`;

const boughtProduct = (collection: string, customer: Sql): Sql => sql`EXISTS (
  SELECT FROM content_collection_product l
  JOIN store_product_variant v ON v.provider_id = l.provider_id AND v.store_product_id = l.store_product_id
  JOIN store_order_item i ON i.provider_id = v.provider_id AND i.store_product_variant_id = v.id
  JOIN store_order o ON o.provider_id = i.provider_id AND o.id = i.store_order_id
  WHERE l.provider_id = ${raw(collection)}.provider_id AND l.content_collection_id = ${raw(collection)}.id
    AND o.customer_id = ${customer} AND o.status IN ('paid', 'fulfilled') AND i.quantity > i.returned_quantity)`;

/** Matches collections `collection` that this customer may open. `now`: a timestamptz. */
export const opensFor = (collection: string, customer: Sql, now: Sql): Sql => sql`(${customer} IS NOT NULL AND (
  ${raw(collection)}.access = 'all_customers' OR ${hasMembership(collection, customer, now)}
  OR ${takesCourse(collection, customer)} OR ${boughtProduct(collection, customer)}))`;

/** Matches collections that the customer of the request may open. */
export const opensForShown = (collection: string): Sql =>
  opensFor(collection, shownCustomer, sql`${nowInstant}::timestamptz`);
