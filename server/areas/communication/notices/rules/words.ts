/** Words for the participant in notices, and the time of reminders. */

/**
 * Returns words for the participant from the reader's point of view: the reader themself, or somebody whose notices
 * they get. A template with these words reads well for both.
 */
export function participantWords(isReader: boolean, firstName: string): Record<string, string> {
  if (isReader)
    return {
      'participant.has': 'You have',
      'participant.is': 'You are',
      'participant.you': 'you',
      'participant.your': 'your',
      'participant.whose': 'Your',
    };
  const [first, name] = firstName ? [firstName, firstName] : ['Your child', 'your child'];
  return {
    'participant.has': `${first} has`,
    'participant.is': `${first} is`,
    'participant.you': name,
    'participant.your': `${name}'s`,
    'participant.whose': `${first}'s`,
  };
}

/** Returns when to remind of an event; null if it is too late, because the booking itself is as recent. */
export function reminderDue(startsAt: number, hours: number, now: number): number | null {
  const due = startsAt - hours * 3_600_000;
  return due > now ? due : null;
}
