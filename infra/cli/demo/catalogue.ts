/** What the demo company does in which months, and how long it takes. */
export interface Offer {
  readonly service: string;
  /** Category of the service: some hours of agents are for one only. */
  readonly category: string;
  /** How often it is sold, by month from January. */
  readonly season: readonly number[];
  /** Possible lengths. */
  readonly minutes: readonly number[];
  /** Possible quantities, in the service's unit; absent: what the service takes from the contact. */
  readonly quantities?: readonly number[];
  /** The custom field that its price needs. */
  readonly needs?: 'lawn' | 'gutters';
  /** Only this organization sells it. */
  readonly organization?: string;
  /** A part that is added, one of it. */
  readonly part?: string;
  /** Whether regular customers have it every other week. */
  readonly isRegular?: true;
  /** How its invoice is made: by completing the appointment, by the office, or not at all. */
  readonly billing: 'automatic' | 'office' | 'free';
  readonly notes: readonly string[];
}

export const offers: readonly Offer[] = [
  {
    service: 'Lawn Mowing',
    category: 'Lawn',
    season: [0, 0, 0, 9, 10, 10, 10, 10, 9, 6, 0, 0],
    minutes: [30, 45, 60],
    needs: 'lawn',
    isRegular: true,
    billing: 'office',
    notes: ['Leave the clippings.', 'Edge the walk too.', ''],
  },
  {
    service: 'Core Aeration and Overseeding',
    category: 'Lawn',
    season: [0, 0, 2, 2, 0, 0, 0, 1, 6, 5, 0, 0],
    minutes: [60, 75],
    needs: 'lawn',
    billing: 'office',
    notes: ['Mark the sprinkler heads first.', ''],
  },
  {
    service: 'Leaf Removal',
    category: 'Lawn',
    season: [1, 0, 0, 0, 0, 0, 0, 0, 0, 5, 9, 6],
    minutes: [60, 75, 90],
    quantities: [1, 2, 3],
    billing: 'automatic',
    notes: ['Beds as well.', 'Pile at the curb; the city collects.', ''],
  },
  {
    service: 'Sprinkler Start-up',
    category: 'Irrigation',
    season: [0, 0, 2, 7, 5, 1, 0, 0, 0, 0, 0, 0],
    minutes: [45, 60],
    quantities: [4, 5, 6, 8, 10],
    billing: 'office',
    notes: ['Zone 3 did not come on last fall.', 'Controller is in the garage.', ''],
  },
  {
    service: 'Sprinkler Winterization',
    category: 'Irrigation',
    season: [0, 0, 0, 0, 0, 0, 0, 0, 1, 6, 5, 1],
    minutes: [45],
    quantities: [4, 6, 8, 10],
    billing: 'office',
    notes: ['Shut-off is behind the water heater.', ''],
  },
  {
    service: 'Sprinkler Backflow Test',
    category: 'Irrigation',
    season: [0, 0, 1, 3, 4, 3, 2, 2, 2, 2, 1, 0],
    minutes: [30],
    organization: 'Evergreen Denver',
    billing: 'office',
    notes: ['Report goes to Denver Water.'],
  },
  {
    service: 'Mosquito Treatment',
    category: 'Pest',
    season: [0, 0, 0, 1, 5, 6, 6, 5, 3, 0, 0, 0],
    minutes: [30],
    needs: 'lawn',
    billing: 'office',
    notes: ['Dog stays inside for an hour.', ''],
  },
  {
    service: 'Gutter Cleaning',
    category: 'Exterior',
    season: [2, 2, 3, 4, 3, 2, 2, 2, 3, 6, 8, 5],
    minutes: [45, 60, 75],
    needs: 'gutters',
    billing: 'automatic',
    notes: ['Downspout at the back corner is slow.', 'Please photograph the north side.', ''],
  },
  {
    service: 'Pressure Washing',
    category: 'Exterior',
    season: [1, 1, 4, 6, 6, 5, 4, 4, 4, 3, 2, 1],
    minutes: [60, 75, 90],
    quantities: [450, 600, 800, 1000, 1200],
    billing: 'automatic',
    notes: ['Deck and steps only.', 'Outside tap is on the left.', ''],
  },
  {
    service: 'Window Cleaning',
    category: 'Exterior',
    season: [4, 4, 5, 6, 5, 4, 4, 4, 4, 4, 4, 5],
    minutes: [30, 45, 60, 75, 90],
    quantities: [14, 16, 18, 20, 22, 24, 28],
    billing: 'automatic',
    notes: ['Hard water on the bathroom window.', 'Ring at the side door.', ''],
  },
  {
    service: 'Holiday Lighting',
    category: 'Lighting',
    season: [3, 0, 0, 0, 0, 0, 0, 0, 0, 4, 9, 9],
    minutes: [60, 75],
    part: 'Roofline package, good',
    billing: 'office',
    notes: ['Warm white, as last year.', 'Outlet is under the porch light.', ''],
  },
  {
    service: 'Snow Plowing',
    category: 'Snow',
    season: [8, 8, 4, 1, 0, 0, 0, 0, 0, 0, 3, 7],
    minutes: [30],
    quantities: [2, 3, 4, 5],
    billing: 'office',
    notes: ['Frost on the drive: salt as well.', 'Before seven, please.', ''],
  },
  {
    service: 'Free Estimate',
    category: 'Landscape',
    season: [1, 2, 3, 3, 3, 2, 2, 2, 3, 3, 2, 1],
    minutes: [60],
    billing: 'free',
    notes: ['Front beds.', 'A walk from the drive to the door.', 'Sprinklers for the back lawn.'],
  },
];

export const cancellations: readonly { readonly reason: string; readonly note: string }[] = [
  { reason: 'Weather', note: 'Wind too strong for ladders; calls for another day.' },
  { reason: 'Customer not home', note: 'Nobody home, gate locked.' },
  { reason: 'Customer canceled', note: 'Guests in the house; wants next month.' },
  { reason: 'No longer needed', note: 'The neighbor has done it.' },
];

export const praise: readonly { readonly Score: number; readonly Note: string; readonly ContactMe?: boolean }[] = [
  { Score: 10, Note: 'On time, tidy, friendly. Thank you!' },
  { Score: 10, Note: 'Best crew we have had.' },
  { Score: 9, Note: 'Very good work, as always.' },
  { Score: 8, Note: 'Good. A call before arrival would help.' },
  { Score: 7, Note: 'Fine, but the gate was left open.' },
  { Score: 3, Note: 'Missed the back of the house.', ContactMe: true },
];

export const calls: readonly { readonly direction: 'Inbound' | 'Outbound'; readonly note: string }[] = [
  { direction: 'Inbound', note: 'Asks whether the crew can come an hour later.' },
  { direction: 'Inbound', note: 'Wants a copy of the last invoice by e-mail.' },
  { direction: 'Inbound', note: 'Pleased with the work; asks about spring prices.' },
  { direction: 'Outbound', note: 'Confirmed the appointment.' },
  { direction: 'Outbound', note: 'Left a message about the open invoice.' },
  { direction: 'Inbound', note: 'Gives the new gate code.' },
];

export const errands: readonly { readonly description: string; readonly type: number; readonly category: string }[] = [
  { description: 'Call about the open invoice', type: 1, category: 'Billing' },
  { description: 'Ask how the work went', type: 1, category: 'Follow-up' },
  { description: 'Offer a date in spring', type: 2, category: 'Renewal' },
  { description: 'Look at the missed spot', type: 5, category: 'Complaint' },
  { description: 'Send the photos of the finished work', type: 2, category: 'Follow-up' },
  { description: 'Measure for the estimate', type: 5, category: 'Estimate' },
];
