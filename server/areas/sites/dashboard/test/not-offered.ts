/**
 * Operations that no screen of the dashboard offers, and why. What a screen offers must not stand here: the test says which
 * lines to take away.
 */

/** For whom they are instead. */
export const FOR_OTHERS: Readonly<Record<string, string>> = {
  'POST /fees_calculator': 'applications: the dashboard shows the prices that operations return',
  'POST /fees_calculator/bulk': 'applications: the dashboard shows the prices that operations return',
  'GET /auth/application': 'applications',
  'GET /auth/oidc/userinfo': 'applications',
  'POST /auth/refresh_access_token': 'applications, which log people in',
  'POST /auth/password_login': 'applications, which log people in',
  'GET /auth/two_factor/requirements': 'applications, which log people in',
  'POST /auth/two_factor/start_verification': 'applications, which log people in',
  'POST /auth/two_factor/verify': 'applications, which log people in',
  'GET /auth/check_account': 'applications, which log people in',
  'GET /push_notification_settings': 'devices of customers, which subscribe with them',
  'PATCH /push_notification_tokens/{id}': 'customers, who name their devices and pause them',
  'POST /providers/{id}/register_customer': 'applications, in which people sign up',
  'POST /checkouts': 'applications, in which customers check out; staff sell at the counter and at the door',
  'PATCH /checkouts/{id}': 'applications, in which customers check out; staff sell at the counter and at the door',
  'POST /checkouts/{id}/add_item': 'applications, in which customers check out',
  'GET /checkouts/{id}/items/{item_id}': 'applications, in which customers check out',
  'DELETE /checkouts/{id}/items/{item_id}': 'applications, in which customers check out',
  'POST /checkouts/{id}/items/{item_id}/price': 'applications with a counter of their own',
  'POST /checkouts/{id}/items/{item_id}/quantity': 'applications, in which customers check out',
  'POST /checkouts/{id}/page': 'applications, which lead customers to a page to pay',
  'POST /memberships/{id}/initiate_purchase': 'applications, which lead customers to a page to pay',
  'POST /events/{id}/initiate_purchase': 'applications, which lead customers to a page to pay',
  'POST /slots/{id}/initiate_purchase': 'applications, which lead customers to a page to pay',
  'POST /gift_cards/redeem': 'applications, in which people type the code of their card; staff redeem the card itself',
  'GET /store/orders/current_order': 'applications, in which customers have a cart',
  'GET /store/order_items': 'programs: the dashboard reads what is in an order with the order',
  'GET /store/product_attributes': 'programs: the dashboard reads the attributes of a product with the product',
  'GET /external_calendars/accounts/{id}/calendars/{base64_calendar_id}':
    'programs: an account has one calendar, and the dashboard reads it from the list',
  'POST /external_calendars/accounts/oauth2/initiate':
    'installations with credentials of Google or Microsoft, without which it is refused',
  'POST /sandbox/payments/{id}': 'tests of integrations',
  'PUT /events/external_id:{external_id}': 'programs that keep a timetable of their own in step',
  'POST /events/{id}/confirm_attendance': 'applications: the dashboard marks attendances, and can take a mark back',
  'GET /waitlist_spots': 'applications: the dashboard reads them with the attendances of an event',
  'GET /waitlist_spots/{id}': 'applications: the dashboard reads them with the attendances of an event',
  'GET /event_series/{id}': 'applications: the dashboard changes a series from any of its events',
  'GET /event_series': 'applications: the dashboard changes a series from any of its events',
  'GET /availability_schedule_offering_types': 'applications: the dashboard reads them with the schedule',
};

/** What the dashboard does not offer yet, by the areas of the interface. */
export const NOT_YET: Readonly<Record<string, readonly string[]>> = {};
