/** Ways to share the booking site: its address, a code to scan, and a timetable for another website. */
import { useQuery } from '@tanstack/react-query';
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ui } from '../../ui/words.ts';
import { words } from './words.ts';

export interface ShareProps {
  /** of the booking site */
  readonly address: string;
  readonly slug: string;
  readonly onCopied: () => void;
  readonly onClose: () => void;
}

const pictureOf = async (address: string): Promise<string> => {
  const { renderSVG } = await import('uqr');
  return `data:image/svg+xml;base64,${btoa(renderSVG(address, { border: 2 }))}`;
};

const codeOf = (address: string, slug: string): string =>
  [
    `<script type="module" src="${location.origin}/embed/rollcall.js"></script>`,
    `<rollcall-timetable business="${slug}">`,
    `  <a href="${address}/timetable">${words.say('share.timetable')}</a>`,
    '</rollcall-timetable>',
  ].join('\n');

export function Share({ address, slug, onCopied, onClose }: ShareProps) {
  const picture = useQuery({
    queryKey: [null, 'picture of an address', address],
    queryFn: () => pictureOf(address),
    staleTime: Infinity,
  });
  return (
    <Dialog title={words.say('step.share')} onClose={onClose}>
      <h3>{words.say('share.link')}</h3>
      <Copy text={address} label={words.say('share.link')} onCopied={onCopied} />
      <h3>{words.say('share.code')}</h3>
      <p className="soft small">{words.say('share.code.what')}</p>
      {picture.data ? (
        <p>
          <img className="scan" src={picture.data} width="176" height="176" alt={words.say('share.code.picture')} />
          <br />
          <a href={picture.data} download={`${slug}.svg`}>
            {words.say('share.code.save')}
          </a>
        </p>
      ) : null}
      <h3>{words.say('share.embed')}</h3>
      <p className="soft small">{words.say('share.embed.what')}</p>
      <Copy text={codeOf(address, slug)} label={words.say('share.embed')} onCopied={onCopied} />
      <div className="actions">
        <button type="button" className="second" onClick={onClose}>
          {ui.say('close')}
        </button>
      </div>
    </Dialog>
  );
}
