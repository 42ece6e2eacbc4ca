/** Tables of the areas in `reporting`. */
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const REPORTING: Readonly<Record<string, ArrivingTable>> = {
  // imports
  import: {
    own: `
      changed_count charges columns created_at created_count date_format dates_unclear delimiter done_count done_line
      encoding file_name finished_at format heading_line id invites_per_day job_id kind kind_confirmed product rejected_count row_count
      rows_deleted_at source source_confirmed status sums unchanged_count updated_at words
    `,
  },
  import_row: { own: 'cells changes fate id import_id issues line made_id object_id own_key shared_key' },
  imported_object: { own: 'external_id object object_id source' },
  // report checks
  report_check: { own: 'checked_at checked_on differences taken_until' },
  // reports
  report_schedule: {
    own: `
      asked created_at day_of_month day_of_week form format frequency id last_run_at next_run_at owner_id
      recipient_ids report status status_reason time updated_at
    `,
  },
};
