// The lines of PyTorch that do what a playground's network does, to be copied into a notebook.
import { drawnPoints, ofSide, sizesOf } from "./setting.js";

const MODULES = { relu: "ReLU", tanh: "Tanh", sigmoid: "Sigmoid", linear: "Identity" };
const OF_POINTS = {
  line: ["X = 2 * torch.rand(n, 2) - 1", "y = X.sum(1) > 0"],
  circle: ["X = 2 * torch.rand(n, 2) - 1", "y = X.norm(dim=1) > (2 / torch.pi) ** 0.5"],
  rings: ["y, angle = torch.arange(n) % 2 == 1, 2 * torch.pi * torch.rand(n)",
    "X = torch.where(y, 0.8, 0.3)[:, None] * torch.stack([angle.cos(), angle.sin()], 1)"],
  spirals: ["y, along = torch.arange(n) % 2 == 1, torch.rand(n).sqrt()",
    "angle = 2 * torch.pi * TURNS * along + torch.pi * y",
    "X = (0.08 + 0.87 * along)[:, None] * torch.stack([angle.cos(), angle.sin()], 1)"],
  board: ["X = 2 * torch.rand(n, 2) - 1", "y = ((X + 1) * SQUARES).floor().sum(1) % 2 == 1"],
};
const DRAWN = ["place = torch.tensor(PLACES)", "place = place[torch.randint(len(place), (n,))]",
  "X, y = place[:, :2] + 0.03 * torch.randn(n, 2), place[:, 2] == 1"];

// How weights are drawn, where it is not PyTorch's own way.
function initialLines({ init, gain, biases, bias_std, layers }) {
  const times = gain === 1 ? "" : `${gain} * `, he = "(2 / layer.in_features) ** 0.5", W = "    layer.weight.data";
  const std = { xavier: "(2 / (layer.in_features + layer.out_features)) ** 0.5", lecun: "layer.in_features ** -0.5" };
  const own = init === "default";
  if (own && gain === 1 && !bias_std) return [];
  return [
    "for layer in linear:", own ? `${W} *= ${gain}` : init === "orthogonal"
      ? `    nn.init.orthogonal_(layer.weight, gain=${gain})` : `    nn.init.normal_(layer.weight, std=${times}${std[init] ?? he})`,
    ...(biases && (bias_std || !own) ? [bias_std ? `    nn.init.normal_(layer.bias, std=${bias_std})` : "    nn.init.zeros_(layer.bias)"] : []),
    ...(init === "identity" ? ["    n = layer.in_features", "    if layer is not linear[0] and n == layer.out_features > 1:",
      `    ${W} = layer.weight / ${layers.length} ** 0.5 + ${times}torch.eye(n)`] : []),
  ];
}

// Returns a program: the points, the network, its training, and the share of new points that it misses.
export function asPyTorch(setting, side) {
  const own = ofSide(setting, side), sizes = sizesOf(own.layers), phi = `nn.${MODULES[own.activation]}()`;
  const places = drawnPoints(setting.drawn).map(([x, y, label]) => `[${x.toFixed(3)}, ${y.toFixed(3)}, ${label}]`);
  const kind = setting.data === "drawn" && !places.length ? "circle" : setting.data, { noise } = setting;
  const words = { SQUARES: 2 ** (setting.folds - 1), TURNS: setting.turns, PLACES: `[${places.join(", ")}]` };
  const lines = (OF_POINTS[kind] ?? DRAWN).map((line) => `    ${line.replace(/[A-Z]{4,}/, (word) => words[word])}`);
  const adam = own.optimiser === "adam"; // AdamW's own decay is not 0
  const linear = sizes.slice(1).map((width, l) => `nn.Linear(${sizes[l]}, ${width}${own.biases ? "" : ", bias=False"})`);
  const skips = own.skips && own.layers.some((width, l) => l && width === own.layers[l - 1]);
  return [
    "import torch", "from torch import nn", "", `torch.manual_seed(${setting.seed})  # PyTorch's numbers, not the playground's`,
    ...(kind === "given" ? ["# X, y: your points, and X_new, y_new: others, held out"] : [
      "def points(n):", ...lines, `    return ${noise ? `X + ${noise} * torch.randn(n, 2)` : "X"}, y.float()`,
      `(X, y), (X_new, y_new) = points(${setting.n}), points(2000)`]),
    ...(skips ? [`linear = nn.ModuleList([${linear.join(", ")}])`, "def model(x):", "    for layer in linear[:-1]:",
      `        h = ${phi}(layer(x))`, "        x = h + x if layer is not linear[0] and h.shape == x.shape else h",
      "    return linear[-1](x).flatten()"]
      : [`model = nn.Sequential(${linear.join(`, ${phi}, `)}, nn.Flatten(0))`, "linear = model[:-1:2]"]),
    ...initialLines(own),
    `optimiser = torch.optim.${adam ? "AdamW" : "SGD"}(linear.parameters(), lr=${own.rate}${adam || own.decay ? `, weight_decay=${own.decay}` : ""})`,
    `for step in range(${setting.steps}):`, `    batch = torch.randint(len(X), (${setting.batch},))`,
    "    loss = nn.functional.binary_cross_entropy_with_logits(model(X[batch]), y[batch])",
    "    optimiser.zero_grad()", "    loss.backward()", "    optimiser.step()",
    'print("missed of new points:", ((model(X_new) > 0) != (y_new > 0)).float().mean().item())', "",
  ].join("\n");
}
