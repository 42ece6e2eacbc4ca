export const CHANGES_NOTHING: Record<string, string> = {
  'POST /bulk_actions/{id}/export': 'it only says where the results are',
};
