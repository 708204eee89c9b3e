// In JavaScript, and imported before anything else, because a Node.js that cannot run TypeScript could not say so.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `This is Node.js ${process.versions.node}; Node.js 22.18 or newer is needed: ` +
      'run npm ci with install scripts, which installs Node.js 24 beside the packages, or install it yourself.\n',
  );
  process.exit(1);
}
