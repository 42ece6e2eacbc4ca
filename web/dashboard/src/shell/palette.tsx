/** A search over people and commands: Ctrl K. */
import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { Combobox } from '../ui/combobox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useBusiness } from '../app/business.ts';
import { useCustomers } from '../app/customers.ts';
import { words } from './words.ts';
import type { ScreenKind, ScreenName } from '../screens.ts';

export interface PaletteProps {
  readonly screens: readonly (readonly [ScreenName, ScreenKind])[];
  readonly onClose: () => void;
}

export function Palette({ screens, onClose }: PaletteProps) {
  const business = useBusiness();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { choices: people, error } = useCustomers(text);
  const commands = screens
    .map(([name, { path }]) => ({
      key: name,
      label: words.say('palette.go', { screen: words.say(`screen.${name}`) }),
      more: '',
      path,
    }))
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()));
  const choices = [...commands, ...people.map((one) => ({ ...one, path: `people/${one.id}` }))];
  return (
    <Dialog title={words.say('palette')} onClose={onClose}>
      <Combobox
        label={words.say('palette.hint')}
        placeholder={words.say('palette.hint')}
        autoFocus
        text={text}
        onText={setText}
        choices={choices}
        error={error}
        onChoose={({ path }) => {
          onClose();
          void navigate({ to: `/${business.id}/${path}` as string });
        }}
      />
    </Dialog>
  );
}
