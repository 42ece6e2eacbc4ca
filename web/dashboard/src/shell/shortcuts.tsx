import { Dialog } from '../ui/dialog.tsx';
import { words } from './words.ts';
import type { ScreenKind, ScreenName } from '../screens.ts';

export interface ShortcutsProps {
  readonly screens: readonly (readonly [ScreenName, ScreenKind])[];
  readonly onClose: () => void;
}

export function Shortcuts({ screens, onClose }: ShortcutsProps) {
  const rows: [string, string][] = [
    ['Ctrl K', words.say('shortcuts.palette')],
    ['?', words.say('shortcuts.help')],
    ...screens
      .filter(([, { key }]) => key !== undefined)
      .map(([name, { key }]): [string, string] => [
        `g ${key}`,
        words.say('palette.go', { screen: words.say(`screen.${name}`) }),
      ]),
  ];
  return (
    <Dialog title={words.say('shortcuts')} onClose={onClose}>
      <dl className="keys">
        {rows.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
