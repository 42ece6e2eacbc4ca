/** What notices say of who takes part, and when they say it. */

/**
 * The person who takes part, as the reader speaks of it: the reader itself, or somebody whose notices it gets. A
 * template that uses these reads well to both.
 */
export function participantWords(isReader: boolean, firstName: string): Record<string, string> {
  if (isReader)
    return {
      'participant.has': 'You have',
      'participant.is': 'You are',
      'participant.you': 'you',
      'participant.your': 'your',
    };
  const [first, name] = firstName ? [firstName, firstName] : ['Your child', 'your child'];
  return {
    'participant.has': `${first} has`,
    'participant.is': `${first} is`,
    'participant.you': name,
    'participant.your': `${name}'s`,
  };
}

/** When to remind of what begins then; null: it is too late for that, the booking itself is as near. */
export function reminderDue(startsAt: number, hours: number, now: number): number | null {
  const due = startsAt - hours * 3_600_000;
  return due > now ? due : null;
}
