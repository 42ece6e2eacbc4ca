/** Target of the email about a scheduled report: the file, for the staff member whom it was created for. */
import { askAlone, forMembers, type Desk, type Business, at, staffViewer, wordPage } from '../frame/index.ts';
import { html } from '../../../kernel/base/markup/html.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { toKeep } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const isMissing = (error: unknown): boolean =>
  error instanceof Problem && ['not_found', 'permission_denied'].includes(error.code);

export const reportFileRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}/report-files/{export_id}',
    charged: 'page',
    get: forMembers(desk, async (visit, member) => {
      const id = idIn(visit.params.export_id);
      const viewer = await desk.door.db.looking(visit.site.id, (tx) => staffViewer(tx, visit, member));
      try {
        if (!viewer) throw notFound();
        return toKeep(await askAlone(desk, visit, viewer)('GET /report_exports/{id}/file', { params: { id } }));
      } catch (error) {
        if (!isMissing(error)) throw error;
        return wordPage(
          'This file isn’t here for you',
          html`<p>Files of reports are kept for seven days, for the person whom they were written for. If
${visit.site.name} asks its staff for a second step, log in with yours first.</p>`,
          { status: 404, way: { href: at(visit.site, 'profile'), label: 'Your account' } },
        );
      }
    }),
  },
];
