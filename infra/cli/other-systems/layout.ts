import { omit } from '../../../lib/shared/objects.ts';
import { type Layout, type Sums, failedLines } from '../imports/report.ts';

const formatSums = ({ Total, Balance }: Sums): string =>
  `${Total.toFixed(2)}${Balance === undefined ? '' : `, balance ${Balance.toFixed(2)}`}`;

/** The reports of files of another system. */
export const systemLayout: Layout = {
  failed: 'not imported:',
  changed: 'changed:',
  remarks: ({ File, Remarks }) => Remarks.map((remark) => `${File}: ${remark}`),
  counts(report, isDryRun) {
    const { File, Kind, Rows, Created, Updated, Unchanged, Skipped, Properties, InFile, Booked } = report;
    return {
      File,
      Kind,
      Rows,
      ...(isDryRun ? {} : { Created, Updated, Unchanged, Skipped }),
      ...(Properties === undefined ? {} : { Properties }),
      Failed: failedLines(report),
      ...(InFile ? { InFile: formatSums(InFile) } : {}),
      ...(Booked && !isDryRun ? { Booked: formatSums(Booked) } : {}),
    };
  },
  json: (report) => omit(report, 'Others'),
  isList: true,
};
