// Draws the plots with uPlot, from the numbers that stand in the page.

import { clockText, percentText } from "../../game/js/i18n.js";

const { uPlot } = globalThis;
const language = document.documentElement.lang;
const data = JSON.parse(document.getElementById("plots-data")?.textContent ?? "null");

const gold = "#f0c75e";
const mint = "#a9ecc9";
const cyan = "#6ff0ea";
const soft = "#c3d8cf";
const grid = { stroke: "rgb(255 255 255 / .12)", width: 1 };
const font = `12px ${getComputedStyle(document.documentElement).fontFamily}`;
const height = 250;

const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const asShare = (value) => (value == null ? "–" : percentText(value));
const asWhole = (value) => (value == null ? "–" : whole.format(value));

const day = new Intl.DateTimeFormat(language, { dateStyle: "short" });

/** "40 (10/27/26)": the how many-eth game, and when it ended. */
const numberAndDay = (game, seconds) =>
  game == null ? "–" : `${asWhole(game)} (${day.format(new Date(seconds * 1000))})`;

const wholes = (_, ticks) => ticks.map(asWhole);
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

const axis = (more) => ({ stroke: soft, font, grid, ticks: { show: false }, gap: 8, ...more });
const across = (more) => axis({ size: 30, values: wholes, incrs: steps, ...more });
const up = (more) => axis({ size: 52, ...more });

function winRate(root, group) {
  return {
    columns: [group.game, group.overall, group.recent],
    options: {
      scales: { x: { time: false, range: room(group.game, 0.5) }, y: { range: [0, 1] } },
      axes: [
        across(),
        up({ values: (_, ticks) => ticks.map(asShare), incrs: [0.25] }),
      ],
      series: [
        { label: root.dataset.game, value: (_, game, series, at) => numberAndDay(game, group.at[at]) },
        line(root.dataset.all, gold, { width: 2.5 }),
        line(root.dataset.recent, cyan, { width: 1.5, dash: [6, 4] }),
      ],
    },
  };
}

const line = (label, stroke, more) => ({
  label,
  stroke,
  value: (_, value) => asShare(value),
  points: { show: (plot) => plot.data[0].length < 40, size: 6, fill: stroke },
  ...more,
});

function removed(root, counts) {
  return {
    columns: [counts.map((_, cards) => cards), counts.map((games) => games || null)],
    options: {
      scales: { x: { time: false, range: [-0.7, counts.length - 0.3] }, y: { range: upward } },
      axes: [
        across({ incrs: [4, 7, 14] }),
        up({ values: wholes, incrs: steps }),
      ],
      series: [
        { label: root.dataset.cards, value: (_, value) => asWhole(value) },
        {
          label: root.dataset.games,
          stroke: mint,
          fill: "rgb(169 236 201 / .65)",
          width: 1,
          points: { show: false },
          paths: uPlot.paths.bars({ size: [0.76, 28] }),
          value: (_, value) => asWhole(value),
        },
      ],
    },
  };
}

/** Wins from left to right, one dot each; which is which stands in the table. */
function againstPar(root, wins) {
  const order = wins.over.map((_, at) => at).sort((a, b) => wins.over[a] - wins.over[b]);
  const [over, elapsed] = [wins.over, wins.elapsed_ms].map((column) => order.map((at) => column[at]));
  return {
    columns: [over, elapsed],
    options: {
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range: room(over, 0.5) }, y: { range: upward } },
      axes: [
        across({ label: root.dataset.over, labelSize: 20, labelFont: font }),
        up({ values: (_, ticks) => ticks.map(clockText), size: 60, incrs: clockSteps }),
      ],
      series: [
        {},
        {
          stroke: gold,
          paths: () => null,
          points: { show: true, size: 9, width: 1.5, fill: "rgb(240 199 94 / .55)" },
        },
      ],
    },
  };
}

const seconds = 1000;
const minutes = 60 * seconds;
const clockSteps = [1, 2, 5, 10, 15, 30]
  .map((step) => step * seconds)
  .concat([1, 2, 5, 10, 15, 30, 60, 120, 240, 600, 1440].map((step) => step * minutes));

/** From nought to a little above the highest. */
const upward = (_, low, high) => [0, Math.max(1, high) * 1.12];

/** All of a sorted column, with some room on both sides. */
const room = (column, aside) => () => [column[0] - aside, column.at(-1) + aside];

function draw(root, { columns, options }) {
  const newest = (plot) => plot.setLegend({ idx: columns[0].length - 1 }, false);
  const plot = new uPlot(
    {
      width: root.clientWidth || 300,
      height,
      padding: [12, 8, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { size: 8 } },
      select: { show: false },
      // Where no finger points, the legend tells of the last.
      hooks: {
        ready: [newest],
        setCursor: [(plot) => plot.cursor.idx == null && newest(plot)],
      },
      ...options,
    },
    columns,
    root,
  );
  new ResizeObserver(() => {
    if (root.clientWidth) plot.setSize({ width: root.clientWidth, height });
  }).observe(root);
  return plot;
}

const figure = (name) => document.querySelector(`[data-plot="${name}"]`);

function start() {
  if (data.groups.length) choosable(figure("win-rate"));
  if (data.removed.length) {
    const root = figure("removed").querySelector(".plot");
    draw(root, removed(root, data.removed));
  }
  if (data.wins.over.length) {
    const root = figure("par").querySelector(".plot");
    draw(root, againstPar(root, data.wins));
  }
}

/** The plot, and the table below it, of one rule set and tier at a time. */
function choosable(shown) {
  const [root, pick] = [shown.querySelector(".plot"), shown.querySelector(".pick")];
  const choice = pick.querySelector("select");
  let plot = null;
  const show = () => {
    plot?.destroy();
    plot = draw(root, winRate(root, data.groups[choice.value]));
    for (const table of shown.querySelectorAll("[data-group]"))
      table.hidden = table.dataset.group !== choice.value;
  };
  pick.hidden = data.groups.length < 2;
  choice.addEventListener("change", show);
  show();
}

if (data && uPlot) start();
