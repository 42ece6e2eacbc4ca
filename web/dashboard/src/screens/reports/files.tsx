/** The person's exported files, for as long as they are kept. */
import { clientOf } from '../../app/client.ts';
import { JobProgress } from './job.tsx';
import { keepAs } from '../../app/files.ts';
import { Listed } from '../../ui/listed.tsx';
import { momentOf } from '../../words/times.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { useReports } from './read.ts';
import { words } from './words.ts';

export function Files() {
  const business = useBusiness();
  const reports = useReports();
  const labelOf = (name: string): string =>
    reports.data?.reports.find((one) => one.name === name)?.label ??
    // Not a report that is read page by page.
    (name === 'bulk_action_results' ? words.say('file.bulk_action_results') : name);
  const list = usePages('GET /report_exports', {
    query: { page_size: 50 },
    fields: ['id', 'job.id', 'job.status', 'report', 'format', 'status', 'row_count', 'created_at', 'expires_at'],
  });
  return (
    <>
      <p className="soft">{words.say('files.about')}</p>
      <Listed list={list} none={words.say('files.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.files')}>
            {all.map(({ id, job, report, format, status: ofFile, row_count, created_at, expires_at }) => {
              // A cancelled file is removed later.
              const status = ofFile === 'pending' && job?.status === 'cancelled' ? 'cancelled' : ofFile;
              const about = `${labelOf(report)}, ${momentOf(created_at, business.timezone)}`;
              return (
                <li key={id}>
                  <span>{momentOf(created_at, business.timezone)}</span>
                  <strong>{labelOf(report)}</strong>
                  <span className="soft">{words.say(`format.${format}`)}</span>
                  <span className={status === 'failed' ? 'tag wrong' : 'tag'}>{words.say(`file.${status}`)}</span>
                  {row_count === null ? null : (
                    <span className="soft small">{words.say('count.rows', { n: row_count })}</span>
                  )}
                  {status === 'complete' && expires_at ? (
                    <>
                      <span className="end soft small">
                        {words.say('file.until', { moment: momentOf(expires_at, business.timezone) })}
                      </span>
                      <RowButton
                        text={words.say('download')}
                        about={about}
                        onClick={() =>
                          void keepAs(
                            clientOf(business.id).call('GET /report_exports/{id}/file', { params: { id } }),
                            `${report}-${id}.${format}`,
                          )
                        }
                      />
                    </>
                  ) : null}
                  {status === 'pending' && job ? (
                    <div className="whole">
                      <JobProgress job={job.id} />
                    </div>
                  ) : null}
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
    </>
  );
}
