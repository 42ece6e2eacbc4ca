/** How people see each report first: what it is about, its groups, the numbers of each, and the period. */

export const TOPICS = ['money', 'members', 'classes', 'store'] as const;

export interface Opening {
  readonly topic: (typeof TOPICS)[number];
  /** groupings; absent: the report opens with its rows */
  readonly by?: readonly string[];
  /** numbers of each group; the first is drawn */
  readonly measures?: readonly string[];
  /** values of filters, such as a named period */
  readonly filters?: Readonly<Record<string, string>>;
}

export const OPENINGS: Readonly<Record<string, Opening>> = {
  attendance_strikes: { topic: 'classes', by: ['attendance.status'], measures: ['count'] },
  attendances: {
    topic: 'classes',
    by: ['status'],
    measures: ['count'],
    filters: { event_timeframe: 'last_30_days' },
  },
  classes: {
    topic: 'classes',
    by: ['offering_type.name'],
    measures: ['average_attendees', 'count'],
    filters: { timeframe: 'last_30_days' },
  },
  content_views: {
    topic: 'members',
    by: ['content.name'],
    measures: ['count'],
    filters: { viewed_at_timeframe: 'last_30_days' },
  },
  course_session_attendances: {
    topic: 'classes',
    by: ['status'],
    measures: ['count'],
    filters: { session_timeframe: 'last_30_days' },
  },
  customer_credits: { topic: 'money' },
  customer_field_changes: { topic: 'members' },
  customer_membership_holds: {
    topic: 'members',
    by: ['membership.name'],
    measures: ['count', 'average_hold_duration'],
  },
  customer_memberships: {
    topic: 'members',
    by: ['membership.name'],
    measures: ['billed_price', 'count'],
    filters: { status: 'active' },
  },
  customer_referrals: { topic: 'members', by: ['status'], measures: ['count'] },
  customers: { topic: 'members', by: ['is_active'], measures: ['count'] },
  deferred_revenue: { topic: 'money', by: ['type'], measures: ['deferred', 'sold'] },
  discount_code_uses: {
    topic: 'store',
    by: ['discount_code.name'],
    measures: ['amount', 'count'],
    filters: { used_at_timeframe: 'last_365_days' },
  },
  fill_rates: {
    topic: 'classes',
    by: ['day_of_week'],
    measures: ['fill_rate', 'taken', 'offered'],
    filters: { timeframe: 'last_30_days' },
  },
  gift_cards: { topic: 'store' },
  instructed_sessions: {
    topic: 'classes',
    by: ['instructor.name'],
    measures: ['instructor_pay', 'hours', 'count'],
    filters: { timeframe: 'this_month' },
  },
  instructors: {
    topic: 'classes',
    by: ['name'],
    measures: ['total_pay', 'total_hours', 'total_sessions'],
    filters: { timeframe: 'this_month' },
  },
  invoice_line_items: { topic: 'money', by: ['type'], measures: ['total_amount', 'count'] },
  invoices: {
    topic: 'money',
    by: ['status'],
    measures: ['total_amount', 'count'],
    filters: { due_date_timeframe: 'last_365_days' },
  },
  lifetime_values: { topic: 'money', by: ['first_membership.name'], measures: ['average_value', 'value', 'count'] },
  members_at_risk: { topic: 'members' },
  retention: {
    topic: 'members',
    by: ['calendar_month'],
    measures: ['retained', 'churned', 'churn_rate'],
    filters: { counted_on_timeframe: 'last_365_days' },
  },
  revenue: {
    topic: 'money',
    by: ['month'],
    measures: ['sold', 'recognised', 'cash'],
    filters: { month_timeframe: 'last_365_days' },
  },
  sms_messages: { topic: 'members', by: ['status'], measures: ['count'] },
  store_order_items: {
    topic: 'store',
    by: ['product.name'],
    measures: ['total_amount', 'quantity'],
    filters: { paid_at_timeframe: 'last_30_days' },
  },
  store_orders: { topic: 'store' },
  unsigned_waivers: { topic: 'members' },
  utilisation: {
    topic: 'classes',
    by: ['day_of_week'],
    measures: ['utilisation', 'minutes_booked', 'minutes_available'],
    filters: { day_timeframe: 'last_30_days' },
  },
  waiver_signatures: { topic: 'members', by: ['waiver.name'], measures: ['count'] },
};
