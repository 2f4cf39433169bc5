//! The plot of the costs.

/// The costs as a picture: size in powers of ten to the right, nanoseconds upwards from 0.
pub fn draw(points: &[(u32, f64)]) -> String {
    const WIDTH: f64 = 720.0;
    const HEIGHT: f64 = 320.0;
    const EDGE: f64 = 56.0;
    let top = points.iter().map(|(_, cost)| *cost).fold(1.0, f64::max) * 1.2;
    let x = |size: f64| EDGE + (size.log10() - 3.0) / 4.5 * (WIDTH - 2.0 * EDGE);
    let y = |cost: f64| HEIGHT - EDGE - cost / top * (HEIGHT - 2.0 * EDGE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{EDGE}\" y=\"24\" font-size=\"14\">Cost of one pair by the size of the vring: \
         append, pack, dump</text>\n"
    );
    for power in 3..=7 {
        let at = x(10f64.powi(power));
        svg += &format!(
            "<line x1=\"{at:.1}\" y1=\"{EDGE}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">10<tspan dy=\"-5\" \
             font-size=\"9\">{power}</tspan></text>\n",
            HEIGHT - EDGE,
            HEIGHT - EDGE + 20.0
        );
    }
    for part in 0..=4 {
        let cost = top * f64::from(part) / 4.0;
        svg += &format!(
            "<line x1=\"{EDGE}\" y1=\"{0:.1}\" x2=\"{1:.1}\" y2=\"{0:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{cost:.1} ns</text>\n",
            y(cost),
            WIDTH - EDGE,
            EDGE - 6.0,
            y(cost) + 4.0
        );
    }
    let places: Vec<String> = points
        .iter()
        .map(|(size, cost)| format!("{:.1},{:.1}", x(f64::from(*size)), y(*cost)))
        .collect();
    svg += &format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\"/>\n",
        places.join(" ")
    );
    for (size, cost) in points {
        svg += &format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"#1f5fa8\"><title>{size}: {cost:.2} \
             ns</title></circle>\n",
            x(f64::from(*size)),
            y(*cost)
        );
    }
    svg += &format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">descriptors of a half</text>\n</svg>\n",
        WIDTH / 2.0,
        HEIGHT - 10.0
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_drawn_inside_the_picture() {
        let points = [(1_000, 10.0), (1_000_000, 5.0), (16_000_000, 7.5)];
        let svg = draw(&points);
        assert_eq!(svg.matches("<circle").count(), points.len());
        for (size, cost) in points {
            assert!(svg.contains(&format!("{size}: {cost:.2} ns")), "{svg}");
        }
        let places = svg.split("cx=\"").skip(1);
        for place in places {
            let x: f64 = place.split('"').next().unwrap().parse().unwrap();
            assert!((56.0..664.0).contains(&x), "{x}");
        }
    }
}
