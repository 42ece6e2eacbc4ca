/** One report: the query is in the address, and the result is drawn, listed and exported. */
import '../../../ui/lists.css';
import '../reports.css';
import { useEffect, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { askedIn, openingQuery } from './query.ts';
import { Choose } from './choose.tsx';
import { Described } from '../described.tsx';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import { Export } from './export.tsx';
import { Filters } from './filters.tsx';
import { Groups } from './groups.tsx';
import { JobProgress } from '../job.tsx';
import { Rows } from './rows.tsx';
import { Schedule } from './schedule.tsx';
import { useAddress, useParam } from '../../../app/address.ts';
import { useBusiness } from '../../../app/business.ts';
import { useReports } from '../read.ts';
import { words } from '../words.ts';
import { DetailsPage } from '../../../ui/page.tsx';

export const { ready } = words;

export function Screen() {
  const business = useBusiness();
  const name = useParam('report');
  const [address, change] = useAddress();
  const [doing, setDoing] = useState<'export' | 'schedule' | null>(null);
  const [job, setJob] = useState<number | null>(null);
  const found = useReports();
  const report = found.data?.reports.find((one) => one.name === name);
  const isBare = Object.keys(address).length === 0;
  useEffect(() => {
    if (report && isBare) change(openingQuery(report));
  }, [report, isBare, change]);
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  if (!report)
    return (
      <Empty whole title={words.say('not_here')}>
        <p>
          <Link to={`/${business.id}/reports` as string}>{words.say('all')}</Link>
        </p>
      </Empty>
    );
  const asked = askedIn(address, report);
  return (
    <DetailsPage
      className="reports"
      back={{ to: 'reports', label: words.say('all') }}
      title={report.label}
      tools={
        <div className="tools">
          <button type="button" className="second" onClick={() => setDoing('export')}>
            {words.say('export')}
          </button>
          <button type="button" className="second" onClick={() => setDoing('schedule')}>
            {words.say('schedule')}
          </button>
        </div>
      }
    >
      <p className="soft">
        <Described text={report.description} report={report} />
      </p>
      {job === null ? null : <JobProgress key={job} job={job} onClose={() => setJob(null)} />}
      <Filters report={report} asked={asked} />
      <Choose report={report} asked={asked} />
      {asked.form === 'groups' ? <Groups report={report} asked={asked} /> : <Rows report={report} asked={asked} />}
      {doing === 'export' ? (
        <Export
          report={report}
          asked={asked}
          onClose={() => setDoing(null)}
          onBegun={(begun) => {
            setDoing(null);
            setJob(begun);
          }}
        />
      ) : null}
      {doing === 'schedule' ? <Schedule report={report} asked={asked} onClose={() => setDoing(null)} /> : null}
    </DetailsPage>
  );
}
