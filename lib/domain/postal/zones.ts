/**
 * Time zones of postal codes, from the limits in 49 CFR Part 71 and the counties that they follow: the zone of a state,
 * and exceptions by the first three digits of a code or by all five, which count first. `null`: the area of the code is
 * in two zones or does not follow the law, and nobody should guess. A zone stands for today's clock only: localities
 * with a history of their own (Louisville, Knox, Beulah) have the zone of their state.
 */
type Zones = string | { readonly zone: string; readonly exceptions: readonly Exception[] };
type Exception = readonly [zone: string | null, digits: string];

const EASTERN = 'America/New_York';
const CENTRAL = 'America/Chicago';
const MOUNTAIN = 'America/Denver';
const PACIFIC = 'America/Los_Angeles';
const SOUTHERN_IDAHO = 'America/Boise';

const EASTERN_STATES = 'CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV';
const CENTRAL_STATES = 'AR IA IL LA MN MO MS WI';
const MOUNTAIN_STATES = 'CO MT NM UT WY';
const PACIFIC_STATES = 'CA WA';

const each = (states: string, zone: string): [string, Zones][] => states.split(' ').map((state) => [state, zone]);
/** States of which some postal codes keep another time: the zone of the others, and the exceptions. */
const MIXED_STATES: readonly (readonly [state: string, zone: string, ...exceptions: Exception[]])[] = [
  // Yap and Chuuk keep UTC+10, Pohnpei and Kosrae UTC+11.
  ['FM', 'Pacific/Chuuk', ['Pacific/Pohnpei', '96941'], ['Pacific/Kosrae', '96944']],
  ['MH', 'Pacific/Majuro', ['Pacific/Kwajalein', '96970']],
  // 96898 is Wake Island.
  ['HI', 'Pacific/Honolulu', ['Pacific/Wake', '96898']],
  // The towns across the river from Columbus and West Point, Georgia, keep Georgia's time though the law says Central.
  ['AL', CENTRAL, [null, '36854 36856 36863 36867 36868 36869 36870 36877']],
  // Kenton keeps New Mexico's time.
  ['OK', CENTRAL, [null, '73946']],
  // West of 169°30′ W is Hawaii–Aleutian time. Hyder keeps the time of its Canadian neighbour.
  ['AK', 'America/Anchorage', ['America/Adak', '99546 99547'], [null, '99923']],
  // The Navajo Nation keeps daylight saving time, the rest of the state and the Hopi Reservation do not.
  [
    'AZ',
    'America/Phoenix',
    [MOUNTAIN, '865 86020 86033 86035 86044 86045 86053 86054'],
    [null, '86016 86031 86502 86512 86555'],
  ],
  // West of the Apalachicola; Gulf County's coast is Eastern.
  ['FL', EASTERN, [CENTRAL, '324 325'], [EASTERN, '32456 32457']],
  // North of the Salmon River is Pacific; Lucile lies on both banks.
  ['ID', SOUTHERN_IDAHO, [PACIFIC, '835 838'], [SOUTHERN_IDAHO, '83547 83549'], [null, '83542']],
  // Lake, Porter, LaPorte, Newton, Jasper, Starke; Gibson, Posey, Vanderburgh, Warrick, Spencer, Perry.
  [
    'IN',
    'America/Indiana/Indianapolis',
    [CENTRAL, '463 464 476 477 46531 46532 46534 46968 47514 47515 47520 47523 47525 47531 47536 47537'],
    [CENTRAL, '47550 47551 47552 47556 47574 47576 47577 47579 47586 47588 47922 47943 47948 47951 47963'],
    [CENTRAL, '47964 47977 47978'],
  ],
  // Sherman, Wallace, Greeley, Hamilton.
  ['KS', CENTRAL, [MOUNTAIN, '67733 67735 67741 67758 67761 67762 67836 67857 67878 67879']],
  // Breckinridge, Grayson, Hart, Green, Adair, Cumberland, Clinton, Russell and what lies west of them.
  [
    'KY',
    EASTERN,
    [CENTRAL, '420 421 422 423 424 40111 40115 40119 40140 40143 40144 40145 40146 40152 40153 40170 40171'],
    [CENTRAL, '40176 40178 42602 42603 42629 42642 42713 42715 42717 42720 42721 42722 42726 42728 42729'],
    [CENTRAL, '42731 42741 42742 42743 42746 42749 42753 42754 42755 42759 42762 42765 42782'],
    [null, '42712 42757 42764 42784'],
  ],
  // Gogebic, Iron, Dickinson, Menominee.
  [
    'MI',
    'America/Detroit',
    ['America/Menominee', '49801 49802 49812 49815 49821 49831 49834 49845 49847 49848 49852 49858 49863'],
    ['America/Menominee', '49870 49873 49874 49876 49877 49881 49886 49887 49892 49893 49896 49902 49903'],
    ['America/Menominee', '49911 49915 49920 49927 49935 49938 49947 49959 49964 49968 49969'],
  ],
  // South-west of the Missouri, without Morton, Mercer, Oliver and the north of McKenzie.
  ['ND', CENTRAL, [MOUNTAIN, '586 58529 58533 58562 58564 58569'], [CENTRAL, '58631 58638'], [null, '58568 58757']],
  // The Panhandle, Arthur, Grant, Hooker, Keith, Perkins, Chase, Dundy and the west of Cherry.
  [
    'NE',
    CENTRAL,
    [MOUNTAIN, '693 69021 69023 69027 69030 69033 69037 69041 69045 69121 69122 69125 69127 69128 69129'],
    [MOUNTAIN, '69131 69133 69134 69140 69141 69144 69145 69146 69147 69148 69149 69150 69152 69153 69154'],
    [MOUNTAIN, '69155 69156 69160 69162 69168 69190 69211 69218'],
    [null, '69216 69219'],
  ],
  // Jackpot, Mountain City and Owyhee follow Idaho's clock though the law says Pacific.
  ['NV', PACIFIC, [MOUNTAIN, '89883'], [null, '89825 89831 89832']],
  // Malheur County; Huntington, beside it, appears to follow its time.
  ['OR', PACIFIC, [SOUTHERN_IDAHO, '979'], [PACIFIC, '97904 97905'], [null, '97907']],
  // Corson, Dewey, Ziebach, Haakon, Jackson, Bennett and what lies west of them.
  [
    'SD',
    CENTRAL,
    [MOUNTAIN, '576 577 57521 57543 57547 57551 57552 57553 57567 57574 57577'],
    [CENTRAL, '57601 57631 57632 57646 57648'],
    [null, '57537'],
  ],
  // East Tennessee, without Marion, Sequatchie, Bledsoe and Cumberland; Grandview lies in two counties.
  [
    'TN',
    CENTRAL,
    [EASTERN, '374 376 377 378 379 37302 37303 37304 37307 37308 37309 37310 37311 37312 37314 37315 37316'],
    [EASTERN, '37317 37320 37321 37322 37323 37325 37326 37329 37331 37332 37333 37336 37338 37341 37343'],
    [EASTERN, '37350 37351 37353 37354 37361 37362 37363 37364 37369 37370 37371 37373 37377 37379 37381'],
    [EASTERN, '37384 37385 37391'],
    [CENTRAL, '37723'],
    [null, '37337'],
  ],
  // El Paso and Hudspeth.
  ['TX', CENTRAL, [MOUNTAIN, '799 885 79821 79835 79836 79837 79838 79839 79847 79849 79851 79853']],
];

const zonesByState: ReadonlyMap<string, Zones> = new Map<string, Zones>([
  ...each(EASTERN_STATES, EASTERN),
  ...each(CENTRAL_STATES, CENTRAL),
  ...each(MOUNTAIN_STATES, MOUNTAIN),
  ...each(PACIFIC_STATES, PACIFIC),
  ['AS', 'Pacific/Pago_Pago'],
  ['GU', 'Pacific/Guam'],
  ['MP', 'Pacific/Guam'],
  ['PR', 'America/Puerto_Rico'],
  ['PW', 'Pacific/Palau'],
  ['VI', 'America/St_Thomas'],
  ...MIXED_STATES.map(([state, zone, ...exceptions]): [string, Zones] => [state, { zone, exceptions }]),
]);

/**
 * The IANA time zone of a five-digit code in its state, or null where it is not certain, as for military addresses
 * (AA, AE, AP).
 */
export function zoneAt(code: string, state: string): string | null {
  const zones = zonesByState.get(state);
  if (zones === undefined) return null;
  if (typeof zones === 'string') return zones;
  for (const digits of [code, code.slice(0, 3)]) {
    const exception = zones.exceptions.find(([, listed]) => listed.split(' ').includes(digits));
    if (exception !== undefined) return exception[0];
  }
  return zones.zone;
}
