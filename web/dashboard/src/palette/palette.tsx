/** A search over people, classes, invoices, memberships, settings and actions: Ctrl K. */
import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { Combobox } from '../ui/combobox.tsx';
import { COMMANDS, matching, plain, readDay, type Command } from './match.ts';
import { dateAt, dayOf } from '../words/times.ts';
import { Dialog } from '../ui/dialog.tsx';
import { may, useBusiness } from '../app/business.ts';
import { useNow } from '../app/now.ts';
import { useTargets, type Target } from './found.ts';
import { words } from './words.ts';
import { words as ofShell } from '../shell/words.ts';
import type { ScreenKind, ScreenName } from '../screens.ts';

export const { ready } = words;

/** Offered before anything is typed: what the day begins with. */
const FIRST: ReadonlySet<string> = new Set(['sell', 'check_in', 'new_class', 'new_customer', 'refund']);

export interface PaletteProps {
  readonly screens: readonly (readonly [ScreenName, ScreenKind])[];
  readonly onClose: () => void;
}

const labelOf = ({ name }: Command): string => words.say(`command.${name}` as 'command.sell');

export function Palette({ screens, onClose }: PaletteProps) {
  const business = useBusiness();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { text: rest, day } = readDay(text, dateAt(useNow(), business.timezone));
  const { targets, error, busy } = useTargets(text);
  const allowed = COMMANDS.filter(({ needs }) => may(business, ...needs));
  const isEmpty = text.trim() === '';
  // A day that no command takes is an ordinary word.
  const onDay = day === null ? [] : matching(rest, allowed, labelOf).filter(({ takesDay }) => takesDay);
  const found = isEmpty
    ? allowed.filter(({ name }) => FIRST.has(name))
    : onDay.length > 0
      ? onDay
      : matching(text, allowed, labelOf);
  const commands = found.map((command): Target => {
    const isOnDay = command.takesDay && day !== null;
    return {
      key: `command ${command.name}`,
      label: isOnDay ? words.say('close.on', { day: dayOf(`${day}T12:00:00Z`, 'UTC') }) : labelOf(command),
      more: command.path.startsWith('settings') ? words.say('kind.setting') : '',
      path: isOnDay ? `${command.path}&date=${day}` : command.path,
    };
  });
  const wanted = plain(text);
  const places = screens
    .map(([name, { path }]): Target => ({
      key: `screen ${name}`,
      label: ofShell.say('palette.go', { screen: ofShell.say(`screen.${name}`) }),
      more: '',
      path,
    }))
    .filter(({ label }) => plain(label).includes(wanted));
  const open = ({ path, person }: Target): void => {
    onClose();
    if (path === null)
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, person: String(person) })) as never,
        resetScroll: false,
      });
    else void navigate({ to: `/${business.id}/${path}` as string });
  };
  // A name that is typed finds a person, unless it is that of an action.
  return (
    <Dialog title={ofShell.say('palette')} onClose={onClose}>
      <Combobox
        label={ofShell.say('palette.hint')}
        placeholder={ofShell.say('palette.hint')}
        autoFocus
        text={text}
        onText={setText}
        choices={[...commands, ...targets, ...places]}
        error={error}
        busy={busy}
        none={words.say('none')}
        onChoose={open}
      />
    </Dialog>
  );
}
