import type { Proposal } from './activity.ts';
import { type Office, type Story, playStories } from './office.ts';
import { Random } from './random.ts';
import { playProposal } from './stories.ts';

/** What the office offers beside its regular work. */
const OFFERS = [
  { service: 'Gutter Cleaning', quantity: 160, title: 'Gutters, cleaned and checked' },
  { service: 'Window Cleaning', quantity: 24, title: 'Windows inside and outside' },
  { service: 'Pressure Washing', quantity: 1200, title: 'Drive and walks, washed' },
] as const;

const REASONS = ['Too expensive.', 'Does it without help.', 'Waits until next year.', 'Another company was faster.'];

/** Days between offers, and the period in which they were made, in days before today. */
const [EVERY, FIRST, LAST] = [3, 390, 50];

/** Plays the offers of a year, all of which are answered; the result is the same for the same day. */
export async function playOffers(office: Office): Promise<void> {
  const customers = (await office.listContacts()).filter(({ isCustomer }) => isCustomer);
  const stories = Array.from({ length: Math.floor((FIRST - LAST) / EVERY) }, (_, index): Story => {
    const random = new Random(index);
    const contact = random.pick(customers);
    return playProposal(office, contact, offer(EVERY * index - FIRST, contact.email, random));
  });
  await playStories(stories, new Date(office.now));
}

/** Two in three of them are accepted. */
function offer(day: number, email: string, random: Random): Proposal {
  const answered = day + random.between(2, 12);
  const [name = ''] = email.split('@');
  const signer = name.replaceAll(/(?:^|\.)(.)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
  return {
    day,
    opened: day,
    ...random.pick(OFFERS),
    ...(random.chance(0.66)
      ? { accepted: { day: answered, name: signer } }
      : { declined: { day: answered, note: random.pick(REASONS) } }),
  };
}
